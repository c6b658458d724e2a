import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { chain, createGraph, stepNode } from "./support/builder.ts";
import { savedGraph, useVisits, waitForSave } from "./support/visit.ts";

const visit = useVisits();

const isInPanel = (page: Page) =>
  page.evaluate<boolean>('document.activeElement.closest(".panel.inspector") !== null');
const focusedNode = (page: Page) => page.evaluate<string | undefined>("document.activeElement.dataset.id");

test("a workflow is built, run and published without a mouse", async () => {
  const user = await visit.register("keyboard");
  const { body } = await user.post("/api/workflows", { name: "By keyboard", published: false });
  const id = body.workflow.id as string;
  const page = await visit.open(`/workflows/${id}`, { user });
  await page.getByText("Choose a trigger", { exact: true }).waitFor();

  await page.keyboard.press("/");
  await page.getByRole("combobox", { name: "Search steps" }).waitFor();
  await page.keyboard.type("transform");
  await page.keyboard.press("Enter");
  await stepNode(page, "transform").waitFor();
  // The new step has the focus in its first field.
  await expect.poll(() => isInPanel(page)).toBe(true);
  await page.keyboard.type("Hello");
  await page.keyboard.press("F6");
  await expect.poll(() => focusedNode(page)).toBe("transform");

  await page.keyboard.press("F2");
  await page.keyboard.type("Greet");
  await page.keyboard.press("Enter");
  await stepNode(page, "greet").waitFor();
  await page.keyboard.press("/");
  await page.getByText("After Greet").waitFor();
  await page.keyboard.type("json");
  await page.keyboard.press("Enter");
  await expect.poll(() => isInPanel(page)).toBe(true);
  await page.keyboard.type("Done");
  await page.keyboard.press("F6");
  await expect.poll(() => focusedNode(page)).toBe("transform");

  // Arrows walk along the lines, up to the trigger and back.
  await page.keyboard.press("ArrowUp");
  await expect.poll(() => focusedNode(page)).toBe("greet");
  await page.keyboard.press("ArrowUp");
  await expect.poll(() => focusedNode(page)).toBe(`trigger:manual:${id}`);
  await page.keyboard.press("ArrowDown");
  await expect.poll(() => focusedNode(page)).toBe("greet");

  await page.keyboard.press("Control+Enter");
  await expect.poll(() => page.locator(".node.ok").count()).toBe(2);

  await page.keyboard.press("Control+Shift+P");
  const menu = page.getByRole("dialog", { name: "Publish" });
  await menu.getByRole("heading", { name: "Publish as v1" }).waitFor();
  await menu.getByRole("button", { name: /^Publish v1/ }).waitFor();
  await page.keyboard.press("Control+Shift+P");
  await expect
    .poll(async () => (await user.get(`/api/workflows/${id}`)).body.workflow)
    .toMatchObject({ version: 1, metadata: { steps: [{ stepId: "greet" }, { stepId: "transform" }] } });
  await page.getByText("Published as v1.").waitFor();
  await page.getByText("Live v1", { exact: true }).waitFor();

  // What the first publish is undone to is not a version either.
  await page.getByRole("button", { name: "Undo", exact: true }).last().click();
  await page.getByText("Nothing is live. Your changes are a draft again.").waitFor();
  await page.getByText("Not published", { exact: true }).waitFor();
});

test("every shortcut of the canvas is listed under ?", async () => {
  const user = await visit.register("lister");
  const { body } = await user.post("/api/workflows", { name: "Keys", metadata: { steps: [], edges: [] } });
  const page = await visit.open(`/workflows/${body.workflow.id}`, { user });
  await page.getByText("Choose a trigger", { exact: true }).waitFor();
  await page.keyboard.press("?");
  for (const text of [
    "Add note",
    "Walk along the lines",
    "Move between canvas and panel",
    "Rename step",
    "Tidy up",
  ])
    await page.getByRole("dialog").getByText(text).waitFor();
});

test("text that is typed after a step was added goes into the field that it needs", async () => {
  const user = await visit.register("typist");
  const { body } = await user.post("/api/workflows", { name: "Typed" });
  const id = body.workflow.id as string;
  const page = await visit.open(`/workflows/${id}`, { user });
  await page.getByText("Choose a trigger", { exact: true }).waitFor();
  const add = async (type: string): Promise<void> => {
    await page.keyboard.press("/");
    await page.getByRole("combobox", { name: "Search steps" }).waitFor();
    await page.keyboard.type(type);
    await page.keyboard.press("Enter");
  };
  await add("http");
  await page.locator(".ph-editor .cm-focused").waitFor();
  await page.keyboard.type("https://shop.example/");
  await page.keyboard.press("F6");
  await add("code");
  await page.locator(".code-editor .cm-focused").waitFor();
  await page.keyboard.type("return null");
  await waitForSave(page);
  expect(await savedGraph(user, id)).toMatchObject({
    steps: [
      { type: "http", url: "https://shop.example/" },
      { type: "code", code: "return null" },
    ],
  });
});

test("after Escape an arrow returns to the step whose panel was closed", async () => {
  const user = await visit.register("escaper");
  const id = await createGraph(user, chain);
  const page = await visit.open(`/workflows/${id}?step=b`, { user });
  await page.locator(".with-step .cm-editor").waitFor();
  await page.keyboard.press("F6");
  await expect.poll(() => isInPanel(page)).toBe(true);
  await page.keyboard.press("Escape");
  await page.locator(".with-step").waitFor({ state: "detached" });
  await page.keyboard.press("ArrowDown");
  await expect.poll(() => focusedNode(page)).toBe("b");
  await page.keyboard.press("ArrowUp");
  await expect.poll(() => focusedNode(page)).toBe("a");
});
