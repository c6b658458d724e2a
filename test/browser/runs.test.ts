import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import type { RegisteredUser } from "../support/test-app.ts";
import { picture, useVisits } from "./support/visit.ts";

const visit = useVisits();

/** An address that fails until it is told to answer. */
async function flakyService(): Promise<{ url: string; mend: () => void }> {
  let broken = true;
  const server = createServer((_request, response) => {
    response.writeHead(broken ? 500 : 200, { "content-type": "application/json" }).end('{"fine": true}');
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, mend: () => (broken = false) };
}

async function workflowOf(user: RegisteredUser, steps: object[], name = "Report"): Promise<string> {
  const ids = steps.map((step) => (step as { stepId: string }).stepId);
  const edges = ids.slice(1).map((target, index) => ({ id: `e${index}`, source: ids[index], target }));
  const { body } = await user.post("/api/workflows", { name, metadata: { steps, edges } });
  return body.workflow.id as string;
}

test("a failed run shows its error, goes on at the failed step and keeps what succeeded", async () => {
  const user = await visit.register("repairer");
  const { url, mend } = await flakyService();
  const id = await workflowOf(user, [
    { stepId: "begin", type: "transform", name: "Begin", template: { at: "{{now}}" } },
    { stepId: "fetch", type: "http", name: "Fetch", url },
    { stepId: "end", type: "transform", name: "End", template: "{{steps.fetch.output.fine}}" },
  ]);
  const { body } = await user.post(`/api/workflows/${id}/run?wait=true`, { input: { day: 1 } });
  const page = await visit.open(`/runs/${body.taskId}`, { user });
  await page.locator(".top [data-status=failed]").waitFor();
  await page.getByRole("alert").getByText("http").first().waitFor();
  await picture(page, "run-failed");
  mend();
  const before = (await user.get(`/api/tasks/${body.taskId}`)).body.task.stepResults[0];
  await page.getByRole("button", { name: "Rerun from the failed step" }).click();
  await page.locator(".top [data-status=completed]").waitFor();
  await page.locator(".waterfall-row[data-step=end][data-status=completed]").waitFor();
  const after = (await user.get(`/api/tasks/${body.taskId}`)).body.task.stepResults[0];
  expect(after).toEqual(before);
});

test("a run is watched live, replayed with other input, and the two stand side by side", async () => {
  const user = await visit.register("watcher");
  const id = await workflowOf(user, [
    { stepId: "first", type: "transform", template: "{{input.name}}" },
    { stepId: "pause", type: "delay", seconds: 1 },
    { stepId: "last", type: "transform", template: "Hello {{steps.first.output}}" },
  ]);
  const { body } = await user.post(`/api/workflows/${id}/run`, { input: { name: "Ada" } });
  const page = await visit.open(`/runs/${body.taskId}`, { user });
  await page.locator(".waterfall-row[data-step=first][data-status=completed]").waitFor();
  await page.locator(".top [data-status=completed]").waitFor();
  await page.getByText("Hello Ada").first().waitFor();
  await picture(page, "run");

  await page.getByRole("button", { name: "Replay" }).click();
  await page.getByLabel("Input (JSON)").fill('{"name": "Grace"}');
  await page.getByRole("button", { name: "Run now" }).click();
  await page.waitForURL((url) => !url.pathname.endsWith(body.taskId as string));
  await page.locator(".top [data-status=completed]").waitFor();
  await page.getByText("Hello Grace").first().waitFor();
  await page.getByRole("link", { name: "side by side" }).click();
  await page.getByText("different").first().waitFor();
  await picture(page, "compare");

  await page.goBack();
  await page.locator(".waterfall-row[data-step=last]").click();
  await page.getByRole("button", { name: "Run only this" }).click();
  await page.getByText("by hand, some steps only").waitFor();
});

test("the list keeps its filters in the address", async () => {
  const user = await visit.register("lister");
  const good = await workflowOf(user, [{ stepId: "a", type: "transform", template: 1 }], "Good");
  const bad = await workflowOf(user, [{ stepId: "a", type: "transform", expression: "$error('no')" }], "Bad");
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

test("a waiting run is cancelled, and an approval is rejected with a reason from the list", async () => {
  const user = await visit.register("decider");
  const id = await workflowOf(user, [{ stepId: "ask", type: "approval", message: "Ship it?" }]);
  const first = (await user.post(`/api/workflows/${id}/run`, { input: {} })).body.taskId as string;
  const page = await visit.open(`/runs/${first}`, { user });
  await page.getByText("Ship it?", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.locator(".top [data-status=cancelled]").waitFor();

  const second = (await user.post(`/api/workflows/${id}/run`, { input: {} })).body.taskId as string;
  await page.goto(`${visit.base}/approvals`);
  await page.getByText("Ship it?", { exact: true }).waitFor();
  await page.getByLabel("Comment").fill("Not today");
  await picture(page, "approvals");
  await page.getByRole("button", { name: "Reject" }).click();
  await page.getByText("Nothing waits for you").waitFor();
  const { task } = (await user.get(`/api/tasks/${second}`)).body;
  expect(task.status).toBe("rejected");
  expect(JSON.stringify(task)).toContain("Not today");
});

test("two hundred steps are followed to the last without a lost event", async () => {
  const user = await visit.register("long");
  const steps = Array.from({ length: 200 }, (_, index) => ({
    stepId: `s${index}`,
    type: "transform",
    template: index,
  }));
  const id = await workflowOf(user, [{ stepId: "wait", type: "delay", seconds: 1 }, ...steps]);
  const { body } = await user.post(`/api/workflows/${id}/run`, { input: {} });
  const page = await visit.open(`/runs/${body.taskId}`, { user });
  await page.locator(".top [data-status=completed]").waitFor();
  await expect
    .poll(() => page.locator(".waterfall-row[data-status=completed]").count(), { timeout: 10_000 })
    .toBe(201);
});
