import type { Locator } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import type { RegisteredUser } from "../support/test-app.ts";
import { stepNode } from "./support/builder.ts";
import { seriousFindings, useVisits } from "./support/visit.ts";

const visit = useVisits();
let user: RegisteredUser;
let workflowId: string;
let taskId: string;

beforeAll(async () => {
  user = await visit.register("large");
  const ids = Array.from({ length: 100 }, (_, index) => `s${index}`);
  const { body } = await user.post("/api/workflows", {
    name: "A hundred steps",
    metadata: {
      steps: ids.map((stepId, index) => ({
        stepId,
        type: "transform",
        name: `Number ${index}`,
        template: index,
      })),
      edges: ids.slice(1).map((target, index) => ({ id: `e${index}`, source: ids[index], target })),
    },
  });
  workflowId = body.workflow.id as string;
  taskId = (await user.post(`/api/workflows/${workflowId}/run?wait=true`, { input: {} })).body
    .taskId as string;
});

async function becomesVisible(step: Locator, canvas: Locator): Promise<void> {
  await expect.poll(() => isReadable(step, canvas)).toBe(true);
}

/** Inside the canvas and at least 30 px high, so that its text can be read. */
async function isReadable(step: Locator, canvas: Locator): Promise<boolean> {
  const [at, around] = [await step.boundingBox(), await canvas.boundingBox()];
  if (at === null || around === null) return false;
  const isInside =
    at.x >= around.x &&
    at.y >= around.y &&
    at.x + at.width <= around.x + around.width &&
    at.y + at.height <= around.y + around.height;
  return isInside && at.height >= 30;
}

test("a hundred steps open at the first one, and any step is found by name", async () => {
  const page = await visit.open(`/workflows/${workflowId}`, { user });
  const canvas = page.getByRole("region", { name: "Canvas" });
  await stepNode(page, "s0").waitFor();
  expect(await isReadable(stepNode(page, "s0"), canvas)).toBe(true);

  await page.keyboard.press("Control+f");
  await page.getByRole("combobox").fill("number 90");
  expect(await seriousFindings(page)).toEqual([]);
  await page.keyboard.press("Enter");
  await page.locator("h2", { hasText: "Number 90" }).waitFor();
  await stepNode(page, "s90").waitFor();
  await becomesVisible(stepNode(page, "s90"), canvas);
});

test("fitting a graph whose steps are rendered only while visible shows all of them", async () => {
  const ids = Array.from({ length: 120 }, (_, index) => `f${index}`);
  const { body } = await user.post("/api/workflows", {
    name: "Fitted",
    metadata: {
      steps: ids.map((stepId) => ({ stepId, type: "transform", template: 1 })),
      edges: ids.slice(1).map((target, index) => ({ id: `e${index}`, source: ids[index], target })),
    },
  });
  const page = await visit.open(`/workflows/${body.workflow.id}`, { user });
  await stepNode(page, "f0").waitFor();
  await expect.poll(() => stepNode(page, "f119").count()).toBe(0);
  await page.getByRole("button", { name: "Fit View" }).click();
  await stepNode(page, "f119").waitFor();
  await stepNode(page, "f0").waitFor();
});

test("the canvas follows a selection moved by keyboard", async () => {
  const page = await visit.open(`/workflows/${workflowId}`, { user });
  const canvas = page.getByRole("region", { name: "Canvas" });
  await stepNode(page, "s0").click();
  for (let step = 1; step <= 30; step += 1) {
    await page.keyboard.press("ArrowDown");
    await page.locator("h2", { hasText: new RegExp(`^Number ${step}$`) }).waitFor();
  }
  await becomesVisible(stepNode(page, "s30"), canvas);
});

test("a step selected in the timeline becomes visible on the graph", async () => {
  const page = await visit.open(`/runs/${taskId}?view=graph`, { user });
  const canvas = page.getByRole("region", { name: "Graph of this run" });
  await stepNode(page, "s0").waitFor();
  expect(await isReadable(stepNode(page, "s0"), canvas)).toBe(true);
  await page.getByRole("radio", { name: "Timeline" }).click();
  await page.locator("[data-step=s70] .tl-open").click();
  await page.getByRole("radio", { name: "Graph" }).click();
  await becomesVisible(stepNode(page, "s70"), canvas);
  await page.getByRole("button", { name: "Find step" }).click();
  await page.getByRole("combobox").fill("s5");
  await page.getByRole("option", { name: /^Number 5 / }).click();
  await becomesVisible(stepNode(page, "s5"), canvas);
});
