import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { createWorkflow, flakyService } from "./support/runs.ts";
import { checkScreen, confirm, takeScreenshot, useVisits } from "./support/visit.ts";

const visit = useVisits();

function row(page: Page, path: string) {
  return page.locator(`.tl-row[data-step="${path}"]`);
}

const panel = (page: Page) => page.getByRole("region", { name: "Step" });
const isStatus = (page: Page, status: string) => page.locator(`.top [data-status=${status}]`).waitFor();

test("a failed run shows its error and reruns from the failed step", async () => {
  const user = await visit.register("repairer");
  const { url, repair } = await flakyService();
  const id = await createWorkflow(user, [
    { stepId: "begin", type: "transform", name: "Begin", template: { at: "{{now}}" } },
    { stepId: "fetch", type: "http", name: "Fetch", url },
    { stepId: "end", type: "transform", name: "End", template: "{{steps.fetch.output.fine}}" },
  ]);
  const { body } = await user.post(`/api/workflows/${id}/run?wait=true`, { input: { day: 1 } });
  const page = await visit.open(`/runs/${body.taskId}`, { user });
  await isStatus(page, "failed");
  await panel(page).getByRole("alert").getByText("http").first().waitFor();
  await row(page, "end").getByText("Not reached").waitFor();
  await checkScreen(page, "run-failed");
  repair();
  const before = (await user.get(`/api/tasks/${body.taskId}`)).body.task.stepResults[0];
  await page.keyboard.press("Shift+R");
  await page.getByLabel("Live v1").waitFor();
  expect(await page.getByLabel("Live v1").isChecked()).toBe(true);
  await page.getByText("Unchanged since this run").waitFor();
  await page.getByText("the failed step, keeps 1 result").waitFor();
  await takeScreenshot(page, "rerun");
  await page.getByRole("button", { name: "Rerun with v1" }).click();
  await isStatus(page, "completed");
  await row(page, "end").and(page.locator("[data-status=completed]")).waitFor();
  const after = (await user.get(`/api/tasks/${body.taskId}`)).body.task.stepResults[0];
  expect(after).toEqual(before);
});

test("a step that failed without an output shows its input, and names its fields as its form does", async () => {
  const user = await visit.register("investigator");
  const id = await createWorkflow(user, [
    { stepId: "count", type: "transform", name: "Count", expression: "$error(input.reason)" },
  ]);
  const { body } = await user.post(`/api/workflows/${id}/run?wait=true`, { input: { reason: "sold out" } });
  const page = await visit.open(`/runs/${body.taskId}`, { user });
  await panel(page).getByRole("alert").getByText("sold out").waitFor();
  await panel(page).getByRole("tab", { name: "Input", selected: true }).waitFor();
  expect(await panel(page).getByRole("tab", { name: "Output" }).count()).toBe(0);

  const list = await createWorkflow(user, [
    { stepId: "sorted", type: "data", operation: "sort", items: "{{input.reason}}", by: ["name"] },
  ]);
  const sorted = await user.post(`/api/workflows/${list}/run?wait=true`, { input: { reason: "sold out" } });
  await page.goto(`${visit.base}/runs/${sorted.body.taskId}`);
  await panel(page).getByRole("alert").getByText("The field “Items” must be a list").waitFor();
});

test("a run that goes on is followed from its end, not from its first event", async () => {
  const user = await visit.register("follower");
  const { url, repair } = await flakyService();
  const id = await createWorkflow(user, [
    { stepId: "fetch", type: "http", name: "Fetch", url },
    { stepId: "ask", type: "approval", name: "Ask", message: "Send it?" },
  ]);
  const { body } = await user.post(`/api/workflows/${id}/run?wait=true`, {});
  const page = await visit.open(`/runs/${body.taskId}`, { user });
  await isStatus(page, "failed");
  const streams: number[] = [];
  page.on("request", (request) => {
    if (request.url().endsWith("/events")) streams.push(Number(request.headers()["last-event-id"]));
  });
  repair();
  await page.keyboard.press("Shift+R");
  await page.getByRole("button", { name: "Rerun with v1" }).click();
  await page.getByText("Send it?").waitFor();
  await expect.poll(() => streams.length).toBeGreaterThan(0);
  // With the first events the page would show the failed attempt again.
  expect(Math.min(...streams)).toBeGreaterThan(0);
});

test("a rerun uses the live version by default, and the original one on request", async () => {
  const user = await visit.register("versioner");
  const steps = (template: string) => [{ stepId: "only", type: "transform", template }];
  const id = await createWorkflow(user, steps("old words"));
  const { body } = await user.post(`/api/workflows/${id}/run?wait=true`, { input: { n: 1 } });
  await user.put(`/api/workflows/${id}`, { metadata: { steps: steps("new words"), edges: [] } });
  const page = await visit.open(`/runs/${body.taskId}?step=only`, { user });
  await page.getByText("not the live one").waitFor();
  await page.getByRole("button", { name: "Rerun", exact: true }).click();
  await page.getByRole("button", { name: "Rerun with v2" }).click();
  await page.waitForURL((url) => !url.pathname.endsWith(body.taskId as string));
  await row(page, "only").getByRole("button", { name: "only" }).click();
  await panel(page).getByText("new words").first().waitFor();

  await page.getByRole("button", { name: "Rerun", exact: true }).click();
  await page.getByLabel("Original v2").check();
  await page.getByRole("switch", { name: "Edit input before rerun" }).click();
  await page.getByLabel("Input (JSON)").fill('{"n": 2}');
  await page.getByRole("button", { name: "Rerun with v2" }).click();
  await page.locator(".run-strip").getByText("Rerun of").waitFor();
  await expect.poll(async () => (await user.get("/api/tasks")).body.tasks.length).toBe(3);
  const [newest] = (await user.get("/api/tasks")).body.tasks;
  expect((await user.get(`/api/tasks/${newest.id}`)).body.task).toMatchObject({ input: { n: 2 } });
});

test("a rerun runs the draft when it is chosen", async () => {
  const user = await visit.register("drafter");
  const steps = (template: string) => [{ stepId: "only", name: "Only step", type: "transform", template }];
  const id = await createWorkflow(user, steps("live words"));
  const { body } = await user.post(`/api/workflows/${id}/run?wait=true`, { input: {} });
  const draft = await user.put(`/api/workflows/${id}/draft`, {
    metadata: { steps: steps("draft words"), edges: [] },
  });
  expect(draft.status).toBe(200);
  const page = await visit.open(`/runs/${body.taskId}`, { user });
  await page.getByRole("button", { name: "Rerun", exact: true }).click();
  await page.getByLabel("Draft").check();
  await page.getByRole("button", { name: "Rerun with draft" }).click();
  await page.waitForURL((url) => !url.pathname.endsWith(body.taskId as string));
  await row(page, "only").getByRole("button", { name: "Only step" }).click();
  await panel(page).getByText("draft words").first().waitFor();
  await page.locator(".run-strip").getByText("Draft").waitFor();
});

test("a retry counts down with its error, and starts now when asked", async () => {
  const user = await visit.register("hasty");
  const { url, repair } = await flakyService(50);
  const id = await createWorkflow(user, [
    { stepId: "fetch", type: "http", name: "Fetch", url, maxRetries: 3 },
  ]);
  const { body } = await user.post(`/api/workflows/${id}/run`, { input: {} });
  const page = await visit.open(`/runs/${body.taskId}`, { user });
  await row(page, "fetch")
    .getByText(/^Attempt 3 of 4 in \d+ s$/)
    .waitFor();
  expect(await row(page, "fetch").locator(".chip").getAttribute("title")).toContain("500");
  await row(page, "fetch").getByRole("button", { name: "Show details" }).click();
  await page.getByText("Attempt 2", { exact: true }).waitFor();
  await checkScreen(page, "attempts");
  repair();
  await row(page, "fetch").getByRole("button", { name: "Retry now" }).click();
  await isStatus(page, "completed");
  // The retry was due fifty seconds after the second attempt.
  const [result] = (await user.get(`/api/tasks/${body.taskId}`)).body.task.stepResults;
  expect(result.durationMs).toBeLessThan(49_000);
  await row(page, "fetch").first().getByRole("button", { name: "Fetch" }).click();
  await panel(page).getByRole("tab", { name: "Attempts 3" }).click();
  await panel(page).locator(".attempt").nth(2).waitFor();
});

test("an approval is decided in its row by keyboard, and a rejection asks first", async () => {
  const user = await visit.register("approver");
  const id = await createWorkflow(user, [
    { stepId: "ask", name: "Finance approval", type: "approval", message: "Refund **€128**?" },
    { stepId: "pay", name: "Refund payment", type: "transform", template: "{{steps.ask.output.comment}}" },
  ]);
  const first = (await user.post(`/api/workflows/${id}/run`, { input: {} })).body.taskId as string;
  const page = await visit.open(`/runs/${first}`, { user });
  await page.getByText("Refund €128?").waitFor();
  await row(page, "pay").getByText("Waits for Finance approval").waitFor();
  await page.getByLabel("Comment").fill("All checked");
  await checkScreen(page, "run");
  await page.getByLabel("Comment").blur();
  await page.keyboard.press("a");
  await page.keyboard.press("Enter");
  await isStatus(page, "completed");
  expect((await user.get(`/api/tasks/${first}`)).body.task.result.output).toBe("All checked");

  const second = (await user.post(`/api/workflows/${id}/run`, { input: {} })).body.taskId as string;
  await page.goto(`${visit.base}/runs/${second}`);
  await page.getByText("Refund €128?").waitFor();
  await page.keyboard.press("r");
  await page.keyboard.press("Enter");
  await page.getByText("Reject this request?").waitFor();
  expect((await user.get(`/api/tasks/${second}`)).body.task.status).toBe("waiting_approval");
  await confirm(page, "Reject");
  await isStatus(page, "rejected");
});

test("an approval is decided in the builder", async () => {
  const user = await visit.register("inplace");
  const id = await createWorkflow(user, [{ stepId: "ask", type: "approval", message: "Go on?" }]);
  const page = await visit.open(`/workflows/${id}`, { user });
  const { body } = await user.post(`/api/workflows/${id}/run`, { input: {} });
  await page.getByRole("button", { name: "Last run" }).click();
  const drawer = page.getByRole("region", { name: "Current run" });
  await drawer.getByText("Go on?").waitFor();
  await drawer.getByRole("button", { name: "Approve" }).click();
  await drawer.locator("[data-status=completed]").first().waitFor();
  expect((await user.get(`/api/tasks/${body.taskId}`)).body.task.status).toBe("completed");
});

test("a step runs alone, or the run is replayed from it", async () => {
  const user = await visit.register("partial");
  const id = await createWorkflow(user, [
    { stepId: "first", type: "transform", template: "{{input.name}}" },
    { stepId: "last", type: "transform", template: "Hello {{steps.first.output}}" },
  ]);
  const { body } = await user.post(`/api/workflows/${id}/run?wait=true`, { input: { name: "Ada" } });
  const page = await visit.open(`/runs/${body.taskId}?step=last`, { user });
  await panel(page).getByRole("button", { name: "Run this step" }).click();
  await page.getByText("manually, selected steps only").waitFor();
  await row(page, "last").getByRole("button", { name: "last" }).click();
  // A partial run has no outputs of the other steps, so it cannot run a single step; the builder can.
  await panel(page).getByRole("button", { name: "Rerun from here" }).waitFor();
  expect(await page.getByRole("button", { name: "Run this step" }).count()).toBe(0);

  await page.goto(`${visit.base}/runs/${body.taskId}?step=last`);
  await panel(page).getByRole("button", { name: "Rerun from here" }).click();
  await page.getByText("keeps 1 result").waitFor();
  await page.getByRole("button", { name: "Rerun with v1" }).click();
  await page.waitForURL((url) => !url.pathname.endsWith(body.taskId as string));
  await page.locator(".run-strip").getByText("Rerun of").waitFor();
  await page.goto(`${visit.base}/runs/${body.taskId}?step=last`);
  await panel(page).getByRole("link", { name: "Open step in editor" }).click();
  await page.locator(".react-flow__node.selected[data-id=last]").waitFor();
});

test("a waiting run is canceled after a question", async () => {
  const user = await visit.register("decider");
  const id = await createWorkflow(user, [{ stepId: "ask", type: "approval", message: "Ship it?" }]);
  const { body } = await user.post(`/api/workflows/${id}/run`, { input: {} });
  const page = await visit.open(`/runs/${body.taskId}`, { user });
  await page.getByText("Ship it?").waitFor();
  await page.getByRole("button", { name: "Cancel run" }).click();
  await page.getByText("Cancel this run?").waitFor();
  await confirm(page, "Cancel run");
  await isStatus(page, "cancelled");
});

test("a failed sub-workflow is opened from its step, rerun with its repair, and the run above continues", async () => {
  const user = await visit.register("nested");
  const child = await createWorkflow(
    user,
    [{ stepId: "sum", type: "transform", expression: "$error('no price')" }],
    "Price",
  );
  const parent = await createWorkflow(user, [
    { stepId: "price", type: "workflow", workflowId: child },
    { stepId: "end", type: "transform", template: "{{steps.price.output}}" },
  ]);
  const { taskId } = (await user.post(`/api/workflows/${parent}/run?wait=true`, {})).body;
  const metadata = { steps: [{ stepId: "sum", type: "transform", template: 12 }], edges: [] };
  await user.put(`/api/workflows/${child}`, { metadata });
  const page = await visit.open(`/runs/${taskId}`, { user });
  const panel = page.getByRole("region", { name: "Step" });
  await panel.getByText(/^The step that failed is in run #/).waitFor();
  await checkScreen(page, "run-sub-workflow");
  await panel.getByRole("link", { name: /^Open run #/ }).click();
  await page.getByText("no price").first().waitFor();
  await page.getByRole("button", { name: "Rerun", exact: true }).click();
  await page.getByText(/^Run #\w+ started this one\./).waitFor();
  await page.getByRole("button", { name: "Rerun with v2" }).click();
  await page.locator(".top [data-status=completed]").waitFor();
  await page.getByRole("term").filter({ hasText: "Started by" }).locator("..").getByRole("link").click();
  await page.getByRole("button", { name: "Rerun", exact: true }).click();
  await page.getByRole("button", { name: "Rerun with v1" }).click();
  await page.locator(".top [data-status=completed]").waitFor();
  expect((await user.get(`/api/tasks/${taskId}`)).body.task.result.output).toBe(12);
});

test("an approval in a sub-workflow is decided in the run above, also in an item of a loop", async () => {
  const user = await visit.register("above");
  const child = await createWorkflow(
    user,
    [{ stepId: "ask", type: "approval", message: "Ship order {{input.id}}?" }],
    "Shipping",
  );
  const ship = { type: "workflow", workflowId: child, input: { id: "{{item}}" } };
  const parent = await createWorkflow(user, [
    { stepId: "each", type: "foreach", items: [7], steps: [{ stepId: "ship", ...ship }] },
  ]);
  const { body } = await user.post(`/api/workflows/${parent}/run`, { input: {} });
  const page = await visit.open(`/runs/${body.taskId}?step=each`, { user });
  await page.getByText("Ship order 7?").waitFor();
  await checkScreen(page, "run-child-approval");
  // A run that has not ended cannot run again.
  await panel(page).getByRole("link", { name: "Open step in editor" }).waitFor();
  expect(await panel(page).getByRole("button", { name: "Rerun from here" }).count()).toBe(0);
  await page.getByRole("button", { name: "Approve" }).click();
  await isStatus(page, "completed");
});
