import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { stepNode } from "./support/builder.ts";
import { copyWith, useVisits } from "./support/visit.ts";

const visit = useVisits();

/** Removes the APIs that browsers offer in secure contexts only. */
async function openOverPlainHttp(page: Page, path: string): Promise<void> {
  await page.addInitScript(`
    Object.defineProperty(Navigator.prototype, "clipboard", { get: () => undefined });
    Crypto.prototype.randomUUID = undefined;
  `);
  await page.goto(`${visit.base}${path}`);
}

test("over plain HTTP a workflow runs, and its steps are copied and pasted", async () => {
  const user = await visit.register("local");
  const { body } = await user.post("/api/workflows", {
    name: "Orders",
    metadata: { steps: [{ stepId: "greet", type: "transform", template: "Hello" }], edges: [] },
  });
  const page = await visit.open("/documents", { user });
  await openOverPlainHttp(page, `/workflows/${body.workflow.id}`);
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await page.locator(".run-drawer [data-status=completed]").first().waitFor();

  await page.locator(".react-flow__node-step").click();
  await page.keyboard.press("Control+c");
  await page.getByText("Step copied.").waitFor();
  await page.keyboard.press("Control+v");
  await stepNode(page, "greet-2").waitFor();
});

test("over plain HTTP a key is copied from its dialog", async () => {
  const page = await visit.open("/documents", { user: await visit.register("keeper") });
  await openOverPlainHttp(page, "/settings/api-keys");
  await page.getByRole("button", { name: "New API key" }).click();
  await page.getByRole("button", { name: "Create key" }).click();
  const dialog = page.getByRole("dialog");
  const key = (await dialog.locator("[data-secret]").textContent()) ?? "";
  await copyWith(dialog.getByRole("button", { name: "Copy" }), dialog.getByText("Copied"));
  await dialog.getByRole("button", { name: "Done" }).click();
  await page.getByRole("button", { name: "New API key" }).click();
  const field = dialog.getByLabel("Name");
  await field.focus();
  await page.keyboard.press("Control+v");
  expect(await field.inputValue()).toBe(key);
});
