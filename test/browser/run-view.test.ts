import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "playwright-core";
import { expect, onTestFinished, test } from "vitest";
import { createWorkflow } from "./support/runs.ts";
import { checkScreen, copyWith, useVisits } from "./support/visit.ts";

const visit = useVisits();

function row(page: Page, path: string) {
  return page.locator(`.tl-row[data-step="${path}"]`);
}

const panel = (page: Page) => page.getByRole("region", { name: "Step" });
const isStatus = (page: Page, status: string) => page.locator(`.top [data-status=${status}]`).waitFor();

test("items of a loop are nested rows with input, output and attempts", async () => {
  const user = await visit.register("looper");
  const server = createServer((request, response) => {
    const bad = request.url === "/NW-RUG-02";
    response.writeHead(bad ? 404 : 200, { "content-type": "application/json" }).end('{"grade": "A"}');
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const id = await createWorkflow(user, [
    {
      stepId: "each",
      name: "For each line item",
      type: "foreach",
      items: "{{input.items}}",
      concurrency: 1,
      steps: [{ stepId: "check", name: "Check return", type: "http", url: `${url}/{{item.sku}}` }],
    },
  ]);
  const input = { items: [{ sku: "NW-MUG-11" }, { sku: "NW-RUG-02" }, { sku: "NW-LAMP-03" }] };
  const { body } = await user.post(`/api/workflows/${id}/run?wait=true`, { input });
  const page = await visit.open(`/runs/${body.taskId}`, { user });
  await row(page, "each").getByText("1 of 3").waitFor();
  // The panel of the failed loop leads to the step that failed in it.
  await panel(page).getByText("Item 2 failed at Check return.").waitFor();
  await panel(page).getByRole("button", { name: "Show failed step" }).click();
  await row(page, "each[1]/check").waitFor();
  await panel(page).getByText("Item 2", { exact: true }).waitFor();
  await row(page, "each[1]").getByRole("button", { name: "Hide details" }).click();
  await row(page, "each[0]").getByText("Item 1 NW-MUG-11").waitFor();
  await row(page, "each[2]").getByText("Not started").waitFor();
  await row(page, "each[1]").getByRole("button", { name: "Show details" }).click();
  await row(page, "each[1]/check").getByRole("button", { name: "Check return" }).click();
  await panel(page).getByText("Item 2").waitFor();
  expect(await panel(page).getByRole("link", { name: "Open step in editor" }).getAttribute("href")).toContain(
    "?step=each%2Fcheck",
  );
  await panel(page).getByRole("alert").getByText("404").waitFor();
  await panel(page).getByRole("tab", { name: "Request" }).click();
  await panel(page).getByText("NW-RUG-02").waitFor();
  await checkScreen(page, "loop");
  await panel(page).getByRole("button", { name: "Rerun from the loop" }).click();
  // To continue repeats no item that has finished; the other choice says that it repeats all of them.
  const choice = (name: string, checked: boolean) => page.getByRole("radio", { name, checked }).waitFor();
  await choice("For each line item the failed step, keeps the finished items", true);
  await choice("For each line item a new run of every item, keeps no results", false);
  await page.keyboard.press("Escape");
  // The link restores the step within the item.
  await page.reload();
  await row(page, "each[1]/check").waitFor();
  await panel(page).getByText("Item 2").waitFor();
  await page.getByRole("button", { name: "Only problems" }).click();
  await row(page, "each[1]").waitFor();
  await row(page, "each[0]").waitFor({ state: "detached" });
  // The editor shows the item that failed.
  await page.goto(`${visit.base}/workflows/${id}?step=each%2Fcheck`);
  await page.getByRole("tab", { name: "Output" }).click();
  await page.getByText("Item 2 of 3").waitFor();
});

test("a loop of 10,000 items opens with its first page only", async () => {
  const user = await visit.register("massive");
  const id = await createWorkflow(user, [
    { stepId: "list", type: "transform", expression: "[1..10000]" },
    {
      stepId: "each",
      type: "foreach",
      items: "{{steps.list.output}}",
      concurrency: 100,
      steps: [{ stepId: "one", type: "transform", template: "{{item}}" }],
    },
  ]);
  const { body } = await user.post(`/api/workflows/${id}/run?wait=true`, { input: {} });
  const page = await visit.open("/runs", { user });
  let loaded = 0;
  page.on("response", (response) => {
    if (/\/items\?|\/journal|\/events/.test(response.url()))
      void response.body().then((text) => (loaded += text.length));
  });
  await page.goto(`${visit.base}/runs/${body.taskId}`);
  await row(page, "each").getByText("10,000 of 10,000").waitFor();
  await row(page, "each").getByRole("button", { name: "Show details" }).click();
  await row(page, "each[49]").waitFor();
  expect(await page.locator('.tl-row[data-step^="each["]').count()).toBe(50);
  await page.getByRole("button", { name: "Show more items" }).click();
  await row(page, "each[99]").waitFor();
  // 10,000 items would be several megabytes.
  expect(loaded).toBeLessThan(200_000);
});

test("a step that waits for an event says for which one and until when, and copies its resume URL", async () => {
  const user = await visit.register("waiter");
  const id = await createWorkflow(user, [
    {
      stepId: "pay",
      name: "Payment",
      type: "wait_event",
      event: "paid",
      key: "{{input.order}}",
      timeoutMs: 3_600_000,
    },
    {
      stepId: "each",
      type: "foreach",
      items: [1],
      steps: [{ stepId: "sign", type: "wait_event", event: "signed" }],
      edges: [],
    },
  ]);
  const { taskId } = (await user.post(`/api/workflows/${id}/run`, { input: { order: "A-7" } })).body;
  const page = await visit.open(`/runs/${taskId}`, { user });
  const wait = page.getByRole("group", { name: "Waiting for an event" });
  await wait.getByText("Waiting for event paid, key A-7").waitFor();
  await wait.getByText(/^Until (?:[A-Z][a-z]+ \d+, )?\d\d:\d\d/).waitFor();
  await checkScreen(page, "run-waiting");
  await copyWith(
    wait.getByRole("button", { name: "Copy resume URL" }),
    wait.getByRole("button", { name: "Copied" }),
  );
  const url = await page.evaluate<string>("navigator.clipboard.readText()");
  expect((await visit.app.anonymous.post(new URL(url).pathname, { amount: 3 })).body.delivered).toBe(true);

  await row(page, "each").getByRole("button", { name: "Show details" }).click();
  await row(page, "each[0]").getByRole("button", { name: "Show details" }).click();
  await wait.getByText("Waiting for event signed").waitFor();
  await wait.getByText("No time limit").waitFor();
  await user.post("/api/events", { name: "signed" });
  await isStatus(page, "completed");
  expect(await wait.count()).toBe(0);
});

test("the log has the lines of steps inside loops, by path and attempt", async () => {
  const user = await visit.register("logger");
  const code = { stepId: "say", type: "code", code: "console.log('item ' + item); return item;" };
  const id = await createWorkflow(user, [
    { stepId: "each", type: "foreach", items: ["mug", "rug"], concurrency: 1, steps: [code], edges: [] },
  ]);
  const { taskId } = (await user.post(`/api/workflows/${id}/run?wait=true`, { input: {} })).body;
  const page = await visit.open(`/runs/${taskId}?view=log`, { user });
  const line = page.getByRole("region", { name: "Log" }).getByRole("row").filter({ hasText: "item rug" });
  await line.waitFor();
  expect((await line.getByRole("cell").allInnerTexts()).slice(1)).toEqual([
    "item rug",
    "each[1]/say",
    "info",
    "Attempt 1",
  ]);
  expect(await page.getByText("item mug").count()).toBe(1);
});

test("J and K walk the steps, and the link restores tab and step", async () => {
  const user = await visit.register("walker");
  const id = await createWorkflow(user, [
    { stepId: "first", type: "transform", template: "one" },
    { stepId: "over", name: "Over 100?", type: "condition", left: 5, operator: "gt", right: 100 },
    { stepId: "last", type: "transform", template: "two" },
  ]);
  const { body } = await user.post(`/api/workflows/${id}/run?wait=true`, { input: {} });
  const page = await visit.open(`/runs/${body.taskId}`, { user });
  await row(page, "last").waitFor();
  // The rows start with the trigger, whose panel shows the result of a completed run.
  await panel(page).getByText('"two"').waitFor();
  for (const key of ["j", "j", "k"]) await page.keyboard.press(key);
  await panel(page).getByRole("heading", { name: "first" }).waitFor();
  await panel(page).getByText('"one"').waitFor();
  await page.getByRole("radio", { name: "Graph" }).click();
  await page.locator(".react-flow__node.selected[data-id=first]").waitFor();
  await page.getByRole("button", { name: "Copy link" }).click();
  const link = await page.evaluate<string>("navigator.clipboard.readText()");
  const other = await visit.open(link.slice(visit.base.length), { user });
  await other.locator(".react-flow__node.selected[data-id=first]").waitFor();
  await panel(other).getByText('"one"').waitFor();
  await other.getByRole("radio", { name: "Log" }).click();
  await other.getByRole("row", { name: /Run ended/ }).waitFor();
  await other.getByRole("button", { name: "Run menu" }).click();
  await other.getByRole("menuitem", { name: "Copy as curl" }).click();
  expect(await other.evaluate<string>("navigator.clipboard.readText()")).toContain(
    `/api/workflows/${id}/run`,
  );
});

test("a run that completes shows its result, until it is closed", async () => {
  const user = await visit.register("reader");
  const id = await createWorkflow(user, [
    { stepId: "ask", type: "approval", message: "Go on?" },
    { stepId: "answer", type: "transform", template: "It is done" },
  ]);
  const { body } = await user.post(`/api/workflows/${id}/run`, { input: {} });
  const page = await visit.open(`/runs/${body.taskId}`, { user });
  await page.getByRole("button", { name: "Approve" }).first().waitFor();
  expect(await panel(page).count()).toBe(0);
  await page.getByRole("button", { name: "Approve" }).first().click();
  await panel(page).getByRole("heading", { name: "Input and result" }).waitFor();
  await panel(page).getByText("It is done").waitFor();
  await panel(page).getByRole("button", { name: "Close step" }).click();
  await panel(page).waitFor({ state: "detached" });
});

test("a step that was not taken says which decision left it out", async () => {
  const user = await visit.register("brancher");
  const { body: saved } = await user.post("/api/workflows", {
    name: "Branch",
    metadata: {
      steps: [
        { stepId: "over", name: "Over 100?", type: "condition", left: 5, operator: "gt", right: 100 },
        { stepId: "yes", type: "transform", template: 1 },
        { stepId: "no", type: "transform", template: 2 },
      ],
      edges: [
        { id: "1", source: "over", target: "yes", condition: "true" },
        { id: "2", source: "over", target: "no", condition: "false" },
      ],
    },
  });
  const { body } = await user.post(`/api/workflows/${saved.workflow.id}/run?wait=true`, { input: {} });
  const page = await visit.open(`/runs/${body.taskId}`, { user });
  await row(page, "yes").getByText("Not taken: Over 100? was no").waitFor();
  await page.getByRole("radio", { name: "Graph" }).click();
  const line = (name: string) => page.locator(`.react-flow__edge.${name}`);
  await expect.poll(() => line("untaken").count()).toBe(1);
  expect(await line("untaken").getAttribute("aria-label")).toContain("and yes");
  expect(await line("taken").last().getAttribute("aria-label")).toContain("and no");
});

test("durations follow the clock of the service, not of the browser", async () => {
  const user = await visit.register("latecomer");
  const id = await createWorkflow(user, [{ stepId: "nap", type: "delay", seconds: 600 }]);
  const { body } = await user.post(`/api/workflows/${id}/run`, { input: {} });
  const page = await visit.newPage();
  // A browser whose clock is two hours ahead.
  await page.addInitScript("{ const real = Date.now; Date.now = () => real() + 7_200_000; }");
  await page.goto(`${visit.base}/theme.js`);
  await page.evaluate(`localStorage.setItem("baton.token", ${JSON.stringify(user.token)})`);
  await page.goto(`${visit.base}/runs/${body.taskId}`);
  const running = page.locator(".run-strip div", { hasText: "Running for" }).locator("dd");
  await expect.poll(() => running.textContent()).toMatch(/^\d+(\.\d)? m?s$/);
  await user.post(`/api/tasks/${body.taskId}/cancel`);
});

test("an interrupted event stream resumes, and the run is followed to its end", async () => {
  const user = await visit.register("patient");
  const id = await createWorkflow(user, [
    { stepId: "first", type: "transform", template: 1 },
    { stepId: "ask", type: "approval", message: "Go on?" },
    { stepId: "last", type: "transform", template: 2 },
  ]);
  const { body } = await user.post(`/api/workflows/${id}/run`, { input: {} });
  const page = await visit.open("/runs", { user });
  // Acts like a proxy with a short timeout: the response ends normally after the first bytes.
  const cutOff = (url: URL): boolean => url.pathname.endsWith("/events");
  await page.route(cutOff, (route) =>
    route.fulfill({ status: 200, contentType: "text/event-stream", body: ": keep-alive\n\n" }),
  );
  await page.getByRole("link", { name: "Report" }).click();
  await page.getByText("Connection lost").waitFor();
  await page.unroute(cutOff);
  await page.getByText("Connection lost").waitFor({ state: "detached" });
  await user.post(`/api/tasks/${body.taskId}/resume`, {});
  await row(page, "last").and(page.locator("[data-status=completed]")).waitFor();
  await isStatus(page, "completed");
});

test("a run of a deleted workflow shows its steps without dead links", async () => {
  const user = await visit.register("remover");
  const id = await createWorkflow(user, [{ stepId: "only", type: "transform", template: "here" }]);
  const { body } = await user.post(`/api/workflows/${id}/run?wait=true`, { input: {} });
  await user.delete(`/api/workflows/${id}`);
  const page = await visit.open(`/runs/${body.taskId}?step=only`, { user });
  await page.getByText("Deleted workflow").waitFor();
  await page.getByText("no longer exists").waitFor();
  await row(page, "only").and(page.locator("[data-status=completed]")).waitFor();
  expect(await page.getByRole("link", { name: "Open step in editor" }).count()).toBe(0);
});

test("a large output is truncated on screen and copied in full", async () => {
  const user = await visit.register("hoarder");
  const id = await createWorkflow(user, [
    { stepId: "many", type: "transform", expression: "[1..100000]" },
    { stepId: "long", type: "transform", expression: "$pad('', 1000000, 'word ')" },
  ]);
  const { body } = await user.post(`/api/workflows/${id}/run?wait=true`, { input: {} });
  const page = await visit.open(`/runs/${body.taskId}`, { user });
  await row(page, "many").getByRole("button", { name: "many" }).click();
  await page.getByText("… and 99900 more").waitFor();
  await row(page, "long").getByRole("button", { name: "long" }).click();
  await page.getByText("(996000 more characters)").first().waitFor();
  const output = page.locator(".json-place").first();
  await output.hover();
  await copyWith(
    output.getByRole("button", { name: "Copy" }),
    output.getByRole("button", { name: "Copied" }),
  );
  expect(await page.evaluate<number>("navigator.clipboard.readText().then((text) => text.length)")).toBe(
    1_000_000,
  );
});

test("a run of 200 steps is followed without losing an event", async () => {
  const user = await visit.register("long");
  const steps = Array.from({ length: 200 }, (_, index) => ({
    stepId: `s${index}`,
    type: "transform",
    template: index,
  }));
  const id = await createWorkflow(user, [{ stepId: "wait", type: "delay", seconds: 1 }, ...steps]);
  const { body } = await user.post(`/api/workflows/${id}/run`, { input: {} });
  const page = await visit.open(`/runs/${body.taskId}`, { user });
  await isStatus(page, "completed");
  await expect.poll(() => page.locator(".tl-row[data-status=completed]").count()).toBe(201);
});

test("a loop that completed although items failed says how many, and leads to the first", async () => {
  const user = await visit.register("lenient");
  const id = await createWorkflow(user, [
    {
      stepId: "each",
      name: "For each order",
      type: "foreach",
      items: ["a", "b", "c"],
      onItemError: "continue",
      steps: [
        { stepId: "check", name: "Check", type: "transform", expression: "item = 'b' ? $error('no') : item" },
      ],
    },
  ]);
  const { body } = await user.post(`/api/workflows/${id}/run?wait=true`, { input: {} });
  const page = await visit.open(`/runs/${body.taskId}`, { user, width: 390 });
  await isStatus(page, "completed");
  await row(page, "each").getByText("1 failed").waitFor();
  await row(page, "each").getByRole("button", { name: "For each order" }).click();
  await panel(page).getByText("Item 2 failed at Check.").waitFor();
  await panel(page).getByRole("button", { name: "Show failed step" }).click();
  await row(page, "each[1]/check").waitFor();
});

test("a delay says until when it waits", async () => {
  const user = await visit.register("patient");
  const id = await createWorkflow(user, [
    { stepId: "pause", name: "Pause", type: "delay", seconds: 86_400 * 3 },
  ]);
  const { body } = await user.post(`/api/workflows/${id}/run`, { input: {} });
  const page = await visit.open(`/runs/${body.taskId}`, { user, width: 390 });
  await row(page, "pause")
    .getByText(/until [A-Z][a-z]+ \d+, \d\d:\d\d/)
    .waitFor();
  // Its output is not null: it has none yet.
  await row(page, "pause").getByRole("button", { name: "Pause" }).click();
  await panel(page).getByText("259200").waitFor();
  expect(await panel(page).getByRole("tab", { name: "Output" }).count()).toBe(0);
});

test("on a phone a chosen step of a long run comes into sight", async () => {
  const user = await visit.register("traveller");
  const steps = Array.from({ length: 25 }, (_, index) => ({
    stepId: `s${index}`,
    type: "transform",
    template: index,
  }));
  const { body } = await user.post(`/api/workflows/${await createWorkflow(user, steps)}/run?wait=true`, {});
  const page = await visit.open(`/runs/${body.taskId}`, { user, width: 390 });
  await row(page, "s2").getByRole("button", { name: "s2" }).click();
  const top = async () => (await panel(page).boundingBox())?.y;
  await expect.poll(top).toBeLessThan(844 - 100);
});

test("on a phone a run is watched, approved and rerun", async () => {
  const user = await visit.register("mobile");
  const id = await createWorkflow(user, [
    { stepId: "ask", name: "Finance approval", type: "approval", message: "Refund?" },
    { stepId: "fail", type: "transform", expression: "$error('no')" },
  ]);
  const { body } = await user.post(`/api/workflows/${id}/run`, { input: {} });
  const page = await visit.open(`/runs/${body.taskId}`, { user, width: 390 });
  await page.getByLabel("Comment").fill("fine");
  await checkScreen(page, "run-390-light");
  await page.getByRole("button", { name: "Approve" }).click();
  await isStatus(page, "failed");
  await page.getByRole("button", { name: "Rerun", exact: true }).click();
  await page.getByRole("button", { name: "Rerun with v1" }).click();
  await expect
    .poll(async () => (await user.get(`/api/tasks/${body.taskId}/journal`)).body.events.length)
    .toBeGreaterThan(4);
  expect(await page.evaluate<boolean>("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
});

test("a long name of a workflow does not push the actions out of the window", async () => {
  const user = await visit.register("wordy");
  const steps = [{ stepId: "only", type: "transform", template: 1 }];
  const id = await createWorkflow(user, steps, "What the editors of three countries have written ".repeat(4));
  const { body } = await user.post(`/api/workflows/${id}/run?wait=true`, { input: {} });
  for (const width of [1440, 1024, 390]) {
    const page = await visit.open(`/runs/${body.taskId}`, { user, width });
    await page.getByRole("button", { name: "Rerun", exact: true }).waitFor();
    expect(await page.evaluate<boolean>("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
  }
});

test("the run is accessible in dark, as timeline, graph and log", async () => {
  const user = await visit.register("nightly");
  const id = await createWorkflow(user, [
    { stepId: "ask", name: "Finance approval", type: "approval", message: "Refund?" },
    { stepId: "pay", type: "transform", template: 1 },
  ]);
  const { body } = await user.post(`/api/workflows/${id}/run`, { input: {} });
  const page = await visit.open(`/runs/${body.taskId}`, { user, width: 1024, theme: "dark" });
  await page.locator(".tl-decision").waitFor();
  await checkScreen(page, "run-1024-dark");
  for (const name of ["Graph", "Log"]) {
    await page.getByRole("radio", { name }).click();
    await checkScreen(page, "run-1024-dark-other");
  }
});

test("the dot of a running step does not pulse for a person who wants less motion", async () => {
  const page = await visit.open("/");
  const animation = await page.evaluate(`(() => {
    const chip = document.body.appendChild(document.createElement("span"));
    chip.className = "chip run dot";
    return getComputedStyle(chip, "::before").animationName;
  })()`);
  expect(animation).toBe("none");
});

test("on a phone a loop with a condition says how many iterations are done, and lists them", async () => {
  const user = await visit.register("counter");
  const id = await createWorkflow(user, [
    {
      stepId: "pages",
      type: "while",
      left: "{{index}}",
      operator: "lt",
      right: 2,
      initial: 0,
      steps: [{ stepId: "page", type: "transform", template: "{{index}}" }],
    },
  ]);
  const { body } = await user.post(`/api/workflows/${id}/run?wait=true`, { input: {} });
  const page = await visit.open(`/runs/${body.taskId}`, { user, width: 390 });
  await row(page, "pages").getByText("2 of 2").waitFor();
  await row(page, "pages").getByRole("button", { name: "Show details" }).click();
  await row(page, "pages[1]").getByText("Iteration 2").waitFor();
});
