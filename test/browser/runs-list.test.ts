import { expect, test } from "vitest";
import { createWorkflow, flakyService } from "./support/runs.ts";
import { checkScreen, confirm, useVisits } from "./support/visit.ts";

const visit = useVisits();

const fine = { stepId: "a", type: "transform", template: 1 };

test("the list keeps its filters in the URL", async () => {
  const user = await visit.register("lister");
  const good = await createWorkflow(user, [fine], "Good");
  const bad = await createWorkflow(
    user,
    [{ stepId: "a", type: "transform", expression: "$error('Out of paper')" }],
    "Bad",
  );
  for (const id of [good, bad]) await user.post(`/api/workflows/${id}/run?wait=true`, { input: {} });
  const page = await visit.open("/runs", { user });
  await page.getByRole("link", { name: "Good" }).waitFor();
  await page.getByRole("radio", { name: "All 2" }).waitFor();
  // The runs of one hour are one value of each chart, which is drawn too.
  await expect.poll(() => page.locator(".run-charts .sparkline polyline").count()).toBe(2);
  await page.getByRole("radio", { name: "Failed 1" }).click();
  await page.getByRole("link", { name: "Good" }).waitFor({ state: "detached" });
  expect(page.url()).toContain("status=failed");
  await page.reload();
  await page.getByRole("link", { name: "Bad" }).waitFor();
  expect(await page.getByRole("link", { name: "Good" }).count()).toBe(0);
});

test("runs are filtered by text, time, trigger, duration and error, and each filter is a removable chip", async () => {
  const user = await visit.register("searcher");
  const good = await createWorkflow(user, [fine], "Good");
  const bad = await createWorkflow(
    user,
    [{ stepId: "a", type: "transform", expression: "$error('Out of paper')" }],
    "Bad",
  );
  for (const id of [good, bad]) await user.post(`/api/workflows/${id}/run?wait=true`, { input: {} });
  const page = await visit.open("/runs", { user });
  const rows = page.locator(".table tbody tr");
  await expect.poll(() => rows.count()).toBe(2);
  await page.getByLabel("Search runs").pressSequentially("out of pap");
  await expect.poll(() => rows.count()).toBe(1);
  await page.getByRole("link", { name: "Bad" }).waitFor();
  expect(page.url()).toContain("q=out+of+pap");
  await page.getByLabel("Search runs").fill("");
  await expect.poll(() => rows.count()).toBe(2);

  await page.getByRole("button", { name: "Filter", exact: true }).click();
  await page.getByLabel("Time").selectOption("24h");
  await page.getByLabel("Trigger").selectOption("manual");
  await page.getByLabel("Longer than (s)").fill("3600");
  await page.keyboard.press("Escape");
  await page.getByText("No matching runs").waitFor();
  await page.getByText("Last 24 hours").waitFor();
  await checkScreen(page, "runs-filtered");
  await page.getByRole("button", { name: "Remove filter Longer than" }).click();
  await expect.poll(() => rows.count()).toBe(2);
  await page.getByRole("button", { name: "Filter", exact: true }).click();
  await page.getByLabel("Workflow").selectOption({ label: "Good" });
  await page.keyboard.press("Escape");
  await expect.poll(() => rows.count()).toBe(1);
  expect(page.url()).toContain("range=24h");
});

test("a long list is paged, and its filter applies to every page", async () => {
  const user = await visit.register("prolific");
  const often = await createWorkflow(user, [fine], "Often");
  const other = await createWorkflow(user, [fine], "Other");
  await Promise.all(
    [...Array.from({ length: 60 }, () => often), ...Array.from({ length: 5 }, () => other)].map((id) =>
      user.post(`/api/workflows/${id}/run?wait=true`, { input: {} }),
    ),
  );
  const page = await visit.open(`/runs?workflowId=${often}`, { user });
  const rows = page.locator(".table tbody tr");
  await expect.poll(() => rows.count()).toBe(50);
  await page.getByRole("button", { name: "Show more" }).click();
  await expect.poll(() => rows.count()).toBe(60);
  await page.getByRole("button", { name: "Show more" }).waitFor({ state: "detached" });
  await page.goto(`${visit.base}/runs?workflowId=${other}`);
  await expect.poll(() => rows.count()).toBe(5);
});

test("charts above the list show volume, success and duration, and a bar sets the time", async () => {
  const user = await visit.register("charter");
  const good = await createWorkflow(user, [fine], "Good");
  const bad = await createWorkflow(
    user,
    [{ stepId: "a", type: "transform", expression: "$error('no')" }],
    "Bad",
  );
  for (const id of [good, good, good, bad])
    await user.post(`/api/workflows/${id}/run?wait=true`, { input: {} });
  const page = await visit.open("/runs", { user });
  const volume = page.getByRole("region", { name: "Runs by hour" });
  await volume.getByText("4", { exact: true }).first().waitFor();
  await page.getByRole("region", { name: "Success rate" }).getByText("75.0 %").waitFor();
  await page.getByRole("region", { name: "Duration p95" }).waitFor();
  // There are no older runs to compare with.
  expect(await page.getByText("in the range before").count()).toBe(0);
  await checkScreen(page, "runs");
  await volume.getByRole("img", { name: /3 completed, 1 failed/ }).press("Enter");
  await page.getByRole("button", { name: "Remove filter Time" }).waitFor();
  expect(page.url()).toMatch(/from=.*to=/);
  await expect.poll(() => page.locator(".table tbody tr").count()).toBe(4);
});

test("new runs are announced and shown on request", async () => {
  const user = await visit.register("watchful");
  const id = await createWorkflow(user, [fine]);
  await user.post(`/api/workflows/${id}/run?wait=true`, { input: {} });
  const page = await visit.open("/runs", { user });
  const rows = page.locator(".table tbody tr");
  await expect.poll(() => rows.count()).toBe(1);
  for (const _each of [1, 2]) await user.post(`/api/workflows/${id}/run?wait=true`, { input: {} });
  await page.getByRole("button", { name: "2 new" }).click();
  await expect.poll(() => rows.count()).toBe(3);
});

test("failed runs with the same error are rerun together, and running ones canceled", async () => {
  const user = await visit.register("bulky");
  const { url, repair } = await flakyService();
  const id = await createWorkflow(user, [{ stepId: "fetch", type: "http", name: "Fetch", url }], "Invoices");
  for (const _each of [1, 2, 3]) await user.post(`/api/workflows/${id}/run?wait=true`, { input: {} });
  const asks = await createWorkflow(user, [{ stepId: "ask", type: "approval", message: "?" }], "Asks");
  const waiting = (await user.post(`/api/workflows/${asks}/run`, { input: {} })).body.taskId as string;
  repair();
  const page = await visit.open("/runs?status=failed", { user });
  await page.getByRole("checkbox").first().check();
  await page.getByRole("button", { name: "Select all with this error" }).click();
  await page.getByText("3 selected").waitFor();
  await checkScreen(page, "runs-selected");
  await page.getByRole("button", { name: "Rerun with live version" }).click();
  await confirm(page, "Rerun");
  await page.getByText("3 changed.").waitFor();
  await expect
    .poll(async () => (await user.get("/api/tasks/counts")).body.counts)
    .toEqual({ completed: 3, waiting_approval: 1 });

  await page.goto(`${visit.base}/runs`);
  await page.getByRole("row", { name: /Asks/ }).getByRole("checkbox").check();
  await page.getByRole("button", { name: "Cancel", exact: true }).click();
  await confirm(page, "Cancel runs");
  await expect.poll(async () => (await user.get(`/api/tasks/${waiting}`)).body.task.status).toBe("cancelled");
});

test("two runs of a workflow are compared by what differs", async () => {
  const user = await visit.register("comparer");
  const steps = (text: string) => [
    {
      stepId: "order",
      name: "Get order",
      type: "transform",
      template: { id: "{{input.id}}", lines: [1, 2, 3, 4, 5] },
    },
    {
      stepId: "grade",
      name: "Grade",
      type: "transform",
      template: { a: 1, b: 2, c: 3, d: 4, grade: "{{input.grade}}", at: "{{now}}" },
    },
    { stepId: "text", name: "Answer", type: "transform", template: text },
    { stepId: "equal", name: "Always equal", type: "transform", template: "{{task.id}}" },
  ];
  const id = await createWorkflow(user, steps("The lamp is fine."), "Returns");
  const first = await user.post(`/api/workflows/${id}/run?wait=true`, { input: { id: 7, grade: "A" } });
  const { workflow } = (await user.get(`/api/workflows/${id}`)).body;
  await user.put(`/api/workflows/${id}`, {
    metadata: { ...workflow.metadata, steps: steps("The lamp is broken.") },
  });
  await user.post(`/api/workflows/${id}/run?wait=true`, { input: { id: 7, grade: "B" } });
  const page = await visit.open("/runs", { user });
  for (const at of [0, 1]) await page.getByRole("checkbox").nth(at).check();
  await page.getByRole("button", { name: "Compare", exact: true }).click();
  await page.getByText("2 of 4 steps differ").waitFor();
  const steplist = page.getByRole("complementary", { name: "Steps" });
  await steplist.getByText("2 equal steps hidden").waitFor();
  await steplist.getByText("Workflow changed v1 → v2").waitFor();
  const grade = page.getByRole("region", { name: "Differences of Grade" });
  await grade.locator("code.removed", { hasText: '"grade": "A"' }).waitFor();
  await grade.locator("code.added", { hasText: '"grade": "B"' }).waitFor();
  await grade.getByText("3 equal lines").waitFor();
  const answer = page.getByRole("region", { name: "Differences of Answer" });
  expect(await answer.locator("del").textContent()).toBe("fine.");
  expect(await answer.locator("ins").textContent()).toBe("broken.");
  await checkScreen(page, "compare");
  await page.keyboard.press("j");
  await page.keyboard.press("j");
  expect(await page.evaluate<string>("document.activeElement.id")).toBe("step-grade");
  await page.keyboard.press("s");
  await grade.locator(".diff-lines.unified").waitFor();
  await page.getByRole("switch", { name: "Ignore times and ids" }).click();
  await page.getByText("3 of 4 steps differ").waitFor();
  await page.getByRole("switch", { name: "Only differences" }).click();
  await page.getByRole("region", { name: "Differences of Get order" }).getByText("Equal").waitFor();
  await page.getByRole("button", { name: "Swap A and B" }).click();
  await page.waitForURL((url) => url.searchParams.get("b") === first.body.taskId);
  await grade.locator("code.removed", { hasText: '"grade": "B"' }).waitFor();

  const other = await createWorkflow(user, [fine], "Another");
  const { body } = await user.post(`/api/workflows/${other}/run?wait=true`, { input: {} });
  await page.goto(`${visit.base}/runs/compare?a=${first.body.taskId}&b=${body.taskId}`);
  await page.getByText("Only runs of the same workflow can be compared").waitFor();
});
