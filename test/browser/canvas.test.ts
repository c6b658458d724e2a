import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import type { RegisteredUser } from "../support/test-app.ts";
import { seriousFindings, useVisits } from "./support/visit.ts";

const visit = useVisits();

const step = (stepId: string, more: object = {}) => ({
  stepId,
  type: "transform",
  name: stepId.toUpperCase(),
  template: stepId,
  ...more,
});
const edge = (source: string, target: string, more: object = {}) => ({
  id: `${source}-${target}`,
  source,
  target,
  ...more,
});

async function createWorkflow(user: RegisteredUser, metadata: object, name = "Orders"): Promise<string> {
  const { body } = await user.post("/api/workflows", { name, metadata });
  return body.workflow.id as string;
}

const node = (page: Page, id: string) => page.locator(`.react-flow__node[data-id="${id}"]`);

test("everything that starts a workflow is a node above its first steps", async () => {
  const user = await visit.register("starter");
  const id = await createWorkflow(user, {
    steps: [step("a"), step("b"), step("c")],
    edges: [edge("a", "c"), edge("b", "c")],
  });
  const page = await visit.open(`/workflows/${id}`, { user });
  const manual = node(page, `trigger:manual:${id}`);
  await manual.getByText("Manual").waitFor();

  const { body } = await user.post("/api/webhooks", { name: "Shop", source: "shop", workflowId: id });
  await user.post("/api/schedules", { workflowId: id, cron: "0 8 * * *", active: false });
  await page.reload();
  const webhook = node(page, `trigger:webhook:${body.webhook.id}`);
  await webhook.getByText("Webhook · shop").waitFor();
  await page.locator(".node.trig.off", { hasText: "Paused" }).waitFor();
  expect(await manual.count()).toBe(0);
  // Two triggers start two first steps.
  await expect.poll(() => page.locator('.react-flow__edge[data-id^="trigger:"]').count()).toBe(4);
  const [above, below] = [await webhook.boundingBox(), await node(page, "a").boundingBox()];
  expect(above!.y + above!.height).toBeLessThan(below!.y);

  await webhook.click();
  await webhook.locator(".node.sel").waitFor();
  await page.keyboard.press("Delete");
  await webhook.waitFor();
  expect(await seriousFindings(page)).toEqual([]);
});
