import type { Locator, Page } from "playwright-core";

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
