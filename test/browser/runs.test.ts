import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import type { RegisteredUser } from "../support/test-app.ts";
import { checkScreen, confirm, useVisits } from "./support/visit.ts";

const visit = useVisits();

/** An HTTP server that responds with 500 until `repair` is called. */
async function flakyService(): Promise<{ url: string; repair: () => void }> {
  let broken = true;
  const server = createServer((_request, response) => {
    response.writeHead(broken ? 500 : 200, { "content-type": "application/json" }).end('{"fine": true}');
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    repair: () => (broken = false),
  };
}

async function createWorkflow(user: RegisteredUser, steps: object[], name = "Report"): Promise<string> {
  const ids = steps.map((step) => (step as { stepId: string }).stepId);
  const edges = ids.slice(1).map((target, index) => ({ id: `e${index}`, source: ids[index], target }));
  const { body } = await user.post("/api/workflows", { name, metadata: { steps, edges } });
  return body.workflow.id as string;
}

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
  await page.locator(".top [data-status=failed]").waitFor();
  await page.getByRole("alert").getByText("http").first().waitFor();
  await checkScreen(page, "run-failed");
  repair();
  const before = (await user.get(`/api/tasks/${body.taskId}`)).body.task.stepResults[0];
  await page.getByRole("button", { name: "Rerun from failed step" }).click();
  await page.locator(".top [data-status=completed]").waitFor();
  await page.locator(".waterfall-row[data-step=end][data-status=completed]").waitFor();
  const after = (await user.get(`/api/tasks/${body.taskId}`)).body.task.stepResults[0];
  expect(after).toEqual(before);
});

test("every attempt of a step shows its input, output and error, also before a rerun", async () => {
  const user = await visit.register("trier");
  const { url, repair } = await flakyService();
  const id = await createWorkflow(user, [
    { stepId: "fetch", type: "http", name: "Fetch", url, query: { day: "{{input.day}}" }, maxRetries: 1 },
  ]);
  const { body } = await user.post(`/api/workflows/${id}/run`, { input: { day: "monday" } });
  const page = await visit.open(`/runs/${body.taskId}`, { user });
  await page.locator(".top [data-status=failed]").waitFor();
  const attempts = page.getByRole("region", { name: "Attempts" });
  await page.getByRole("tab", { name: "Attempts" }).click();
  await attempts.locator(".attempt > summary", { hasText: "Attempt 2" }).waitFor();
  repair();
  await page.getByRole("button", { name: "Rerun from failed step" }).click();
  await page.locator(".top [data-status=completed]").waitFor();
  await page.locator(".waterfall-row[data-step=fetch]").click();
  await page.getByRole("tab", { name: "Attempts" }).click();
  await expect.poll(() => attempts.locator(".attempt > summary").count()).toBe(3);
  await attempts.locator(".attempt > summary", { hasText: "completed" }).click();
  await attempts.getByText("fine:").waitFor();
  await attempts.locator(".attempt > summary", { hasText: "Attempt 2" }).click();
  const second = attempts.locator(".attempt", { hasText: "Attempt 2" });
  await second.getByText("http_error").waitFor();
  await second.getByText('"monday"').waitFor();
  await checkScreen(page, "attempts");
});

test("a run is followed live, replayed with other input and compared", async () => {
  const user = await visit.register("watcher");
  const id = await createWorkflow(user, [
    { stepId: "first", type: "transform", template: "{{input.name}}" },
    { stepId: "pause", type: "delay", seconds: 1 },
    { stepId: "last", type: "transform", template: "Hello {{steps.first.output}}" },
  ]);
  const { body } = await user.post(`/api/workflows/${id}/run`, { input: { name: "Ada" } });
  const page = await visit.open(`/runs/${body.taskId}`, { user });
  await page.locator(".waterfall-row[data-step=first][data-status=completed]").waitFor();
  await page.locator(".top [data-status=completed]").waitFor();
  await page.getByText("Hello Ada").first().waitFor();
  await checkScreen(page, "run");

  await page.getByRole("button", { name: "Replay" }).click();
  await page.getByLabel("Input (JSON)").fill('{"name": "Grace"}');
  await page.getByRole("button", { name: "Run now" }).click();
  await page.waitForURL((url) => !url.pathname.endsWith(body.taskId as string));
  await page.locator(".top [data-status=completed]").waitFor();
  await page.getByText("Hello Grace").first().waitFor();
  await page.getByRole("link", { name: "Compare" }).click();
  await page.getByText("different").first().waitFor();
  await checkScreen(page, "compare");

  await page.goBack();
  await page.locator(".waterfall-row[data-step=last]").click();
  await page.getByRole("button", { name: "Run this step" }).click();
  await page.getByText("manually, selected steps only").waitFor();
  await page.locator(".waterfall-row[data-step=last]").click();
  await page.getByRole("button", { name: "Replay from here" }).waitFor();
  // A partial run has no outputs of the other steps, so it cannot run a single step; the builder can.
  expect(await page.getByRole("button", { name: "Run this step" }).count()).toBe(0);
  await page.getByRole("link", { name: "Open in builder" }).click();
  await page.locator("aside h2", { hasText: "last" }).waitFor();
  await page.locator(".react-flow__node.selected[data-id=last]").waitFor();

  await page.goto(`${visit.base}/runs/${body.taskId}`);
  await page.locator(".waterfall-row[data-step=last]").click();
  await page.getByRole("button", { name: "Replay from here" }).click();
  await page.waitForURL((url) => !url.pathname.endsWith(body.taskId as string));
  await page.getByText("Hello Ada").first().waitFor();
  await page.getByText("Replay of").waitFor();
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
  await page.getByText("reconnecting").waitFor();
  await page.unroute(cutOff);
  await page.getByText("reconnecting").waitFor({ state: "detached" });
  await user.post(`/api/tasks/${body.taskId}/resume`, {});
  await page.locator(".waterfall-row[data-step=last][data-status=completed]").waitFor();
  await page.locator(".top [data-status=completed]").waitFor();
});

test("a run of a deleted workflow shows its steps without dead links", async () => {
  const user = await visit.register("remover");
  const id = await createWorkflow(user, [{ stepId: "only", type: "transform", template: "here" }]);
  const { body } = await user.post(`/api/workflows/${id}/run?wait=true`, { input: {} });
  await user.delete(`/api/workflows/${id}`);
  const page = await visit.open(`/runs/${body.taskId}`, { user });
  await page.getByRole("heading", { name: "Deleted workflow" }).waitFor();
  await page.getByText("no longer exists").waitFor();
  await page.locator(".waterfall-row[data-step=only][data-status=completed]").waitFor();
  expect(await page.getByRole("link", { name: "Open workflow" }).count()).toBe(0);
});

test("a large output is truncated on screen and copied in full", async () => {
  const user = await visit.register("hoarder");
  const id = await createWorkflow(user, [
    { stepId: "many", type: "transform", expression: "[1..100000]" },
    { stepId: "long", type: "transform", expression: "$pad('', 1000000, 'word ')" },
  ]);
  const { body } = await user.post(`/api/workflows/${id}/run?wait=true`, { input: {} });
  const page = await visit.open(`/runs/${body.taskId}`, { user });
  await page.locator(".waterfall-row[data-step=many]").click();
  await page.getByText("… and 99900 more").waitFor();
  await page.locator(".waterfall-row[data-step=long]").click();
  await page.getByText("(996000 more characters)").first().waitFor();
  const output = page.locator(".json-place").first();
  await output.hover();
  await output.getByRole("button", { name: "Copy" }).click();
  await output.getByRole("button", { name: "Copied" }).waitFor();
  expect(await page.evaluate<number>("navigator.clipboard.readText().then((text) => text.length)")).toBe(
    1_000_000,
  );
});

test("the list keeps its filters in the URL", async () => {
  const user = await visit.register("lister");
  const good = await createWorkflow(user, [{ stepId: "a", type: "transform", template: 1 }], "Good");
  const bad = await createWorkflow(
    user,
    [{ stepId: "a", type: "transform", expression: "$error('no')" }],
    "Bad",
  );
  for (const id of [good, bad]) await user.post(`/api/workflows/${id}/run?wait=true`, { input: {} });
  const page = await visit.open("/runs", { user });
  await page.getByRole("link", { name: "Good" }).waitFor();
  await page.getByLabel("Status").selectOption("failed");
  await page.getByRole("link", { name: "Good" }).waitFor({ state: "detached" });
  expect(page.url()).toContain("status=failed");
  await page.reload();
  await page.getByRole("link", { name: "Bad" }).waitFor();
  expect(await page.getByRole("link", { name: "Good" }).count()).toBe(0);
});

test("a long list is paged, and its filter applies to every page", async () => {
  const user = await visit.register("prolific");
  const often = await createWorkflow(user, [{ stepId: "a", type: "transform", template: 1 }], "Often");
  const other = await createWorkflow(user, [{ stepId: "a", type: "transform", template: 1 }], "Other");
  await Promise.all(
    [...Array.from({ length: 60 }, () => often), ...Array.from({ length: 5 }, () => other)].map((id) =>
      user.post(`/api/workflows/${id}/run?wait=true`, { input: {} }),
    ),
  );
  const page = await visit.open(`/runs?workflowId=${often}`, { user });
  const rows = page.locator("tbody tr");
  await expect.poll(() => rows.count()).toBe(50);
  await page.getByRole("button", { name: "Show more" }).click();
  await expect.poll(() => rows.count()).toBe(60);
  expect(await page.getByRole("button", { name: "Show more" }).count()).toBe(0);
  expect(page.url()).toContain(`workflowId=${often}`);
  await page.getByLabel("Workflow").selectOption({ label: "Other" });
  await expect.poll(() => rows.count()).toBe(5);

  for (let made = 0; made < 60; made += 1) await user.post("/api/workflows", { name: `Flow ${made}` });
  await page.goto(`${visit.base}/workflows`);
  await expect.poll(() => rows.count()).toBe(50);
  await page.getByLabel("Search workflows").fill("oft");
  await page.getByRole("link", { name: "Often" }).waitFor();
  await rows.getByText("completed").waitFor();
});

test("a waiting run is cancelled, and an approval is rejected with a comment", async () => {
  const user = await visit.register("decider");
  const id = await createWorkflow(user, [
    { stepId: "ask", type: "approval", message: "Ship **all** of it?" },
  ]);
  const first = (await user.post(`/api/workflows/${id}/run`, { input: {} })).body.taskId as string;
  const page = await visit.open(`/runs/${first}`, { user });
  await page.getByText("Ship all of it?", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.locator(".top [data-status=cancelled]").waitFor();

  const second = (await user.post(`/api/workflows/${id}/run`, { input: {} })).body.taskId as string;
  await page.goto(`${visit.base}/approvals`);
  await page.getByText("Ship all of it?", { exact: true }).locator("b", { hasText: "all" }).waitFor();
  await page.getByLabel("Comment").fill("Not today");
  await checkScreen(page, "approvals");
  await page.getByRole("button", { name: "Reject" }).click();
  await confirm(page, "Reject");
  await page.getByText("Rejected. The run has ended.").waitFor();
  await page.getByText("No open approvals").waitFor();
  const { task } = (await user.get(`/api/tasks/${second}`)).body;
  expect(task.status).toBe("rejected");
  expect(JSON.stringify(task)).toContain("Not today");
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
  await page.locator(".top [data-status=completed]").waitFor();
  await expect
    .poll(() => page.locator(".waterfall-row[data-status=completed]").count(), { timeout: 10_000 })
    .toBe(201);
});
