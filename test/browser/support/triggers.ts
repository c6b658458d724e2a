import type { Locator, Page } from "playwright-core";
import type { RegisteredUser } from "../../support/test-app.ts";

/** Returns the id of a workflow that greets `input.name`. */
export async function createGreeting(user: RegisteredUser, more: object = {}): Promise<string> {
  const metadata = {
    steps: [{ stepId: "greet", type: "transform", template: "Hello {{input.name}}" }],
    edges: [],
    ...more,
  };
  return (await user.post("/api/workflows", { name: "Greeting", metadata })).body.workflow.id as string;
}

export async function addTrigger(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name: "Add trigger" }).click();
  await page.getByRole("menuitem", { name }).click();
}

export const triggerPanel = (page: Page): Locator => page.locator(".trigger-panel");
export const triggerNode = (page: Page, kind: string): Locator =>
  page.locator(`.react-flow__node[data-id^="trigger:${kind}:"]`);
