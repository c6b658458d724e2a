import { expect, test } from "vitest";
import { useVisits } from "./support/visit.ts";
import { createWorkflow } from "./support/runs.ts";

const visit = useVisits();

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
