import type { Locator, Page } from "playwright-core";
import type { RegisteredUser } from "../../support/test-app.ts";

/** A node of the canvas by the id of its step. */
export const stepNode = (page: Page, id: string): Locator =>
  page.locator(`.react-flow__node[data-id="${id}"]`);

/** Selects a step and waits for the fields of its panel: the panel and their editor are loaded with the first step. */
export async function openStep(page: Page, id: string): Promise<void> {
  await stepNode(page, id).click();
  await page.locator(".ph-editor .cm-line").first().waitFor();
}

/** A field of the step panel once its editor is loaded: before, it is plain text that the editor replaces. */
export const valueField = (container: Page | Locator, name: string): Locator =>
  container.locator(".ph-editor").getByRole("textbox", { name, exact: true });

/** The editor sets its selection shortly after it gets the focus, so all of its text is selected after that. */
export async function fillValue(field: Locator, text: string): Promise<void> {
  await field.focus();
  await field.page().locator(".cm-focused").waitFor();
  await field.fill(text);
}

export const twoSteps = {
  steps: [
    { stepId: "order", type: "transform", name: "The order", template: { total: 1200, customer: "Ada" } },
    { stepId: "greet", type: "transform", name: "Greet", template: "Hello" },
  ],
  edges: [{ id: "e1", source: "order", target: "greet" }],
};

/** Returns the id of a workflow with this graph. */
export async function createGraph(
  user: RegisteredUser,
  metadata: object = twoSteps,
  name = "Orders",
): Promise<string> {
  const { body } = await user.post("/api/workflows", { name, metadata });
  return body.workflow.id as string;
}

/** A step named after its id, in capitals. */
export const step = (stepId: string, more: object = {}): Record<string, unknown> & { stepId: string } => ({
  stepId,
  type: "transform",
  name: stepId.toUpperCase(),
  template: stepId,
  ...more,
});

export const edge = (source: string, target: string, more: object = {}): object => ({
  id: `${source}-${target}`,
  source,
  target,
  ...more,
});

export const chain = { steps: [step("a"), step("b")], edges: [edge("a", "b")] };
