import type { Locator } from "playwright-core";
import { expect, test } from "vitest";
import type { RegisteredUser } from "../support/test-app.ts";
import { chain, createGraph, edge, fillValue, step, stepNode, valueField } from "./support/builder.ts";
import { fieldText, seriousFindings, useVisits, savedGraph } from "./support/visit.ts";

const visit = useVisits();

/** The edges of the saved draft, by their ends. */
async function savedEdges(user: RegisteredUser, id: string): Promise<string[]> {
  const { edges } = await savedGraph(user, id);
  return (edges as { source: string; target: string }[]).map(({ source, target }) => `${source}>${target}`);
}

test("a step is inserted on a line by a word that people use for it", async () => {
  const user = await visit.register("inserter");
  const id = await createGraph(user, chain);
  const page = await visit.open(`/workflows/${id}`, { user });
  await page.getByRole("button", { name: "Insert step between A and B" }).click();
  const search = page.getByRole("combobox", { name: "Search steps" });
  await page.getByText("Insert between A and B").waitFor();
  await page.getByRole("group", { name: "Suggested" }).waitFor();
  for (const [word, title] of [
    ["if", "Condition"],
    ["loop", "For each"],
    ["slack", "Slack"],
    ["cron", "Schedule"],
    ["imap", "Mailbox"],
    ["gpt", "Ask a language model"],
  ] as const) {
    await search.fill(word);
    await page.getByRole("option", { name: title, selected: true }).waitFor();
  }
  await search.fill("nothing like that");
  await page.getByRole("option", { name: /^HTTP request/ }).waitFor();
  await page.getByRole("button", { name: "Describe it" }).waitFor();
  expect(await seriousFindings(page)).toEqual([]);
  await search.fill("sleep");
  await page.keyboard.press("Enter");
  const added = page.locator(".node.sel");
  await added.locator("b", { hasText: "Wait" }).waitFor();
  await expect.poll(() => page.locator(".react-flow__edge").count()).toBe(3);
  const [a, between, b] = await Promise.all(
    [stepNode(page, "a"), added, stepNode(page, "b")].map((each) => each.boundingBox()),
  );
  expect(between!.y).toBeGreaterThan(a!.y);
  expect(between!.y).toBeLessThan(b!.y);

  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Control+z");
  await expect.poll(() => page.locator(".react-flow__edge").count()).toBe(2);
});

test("the step picker beside a node in the middle of a window of 1280 pixels is not cut off", async () => {
  const user = await visit.register("middle");
  const id = await createGraph(user, { steps: [step("a")], edges: [] });
  const page = await visit.open(`/workflows/${id}`, { user, width: 1280 });
  await page.getByRole("button", { name: "Add step after A" }).click();
  const picker = page.locator(".step-picker");
  await picker.getByRole("combobox").waitFor();
  const { x, width } = (await picker.boundingBox())!;
  expect(x).toBeGreaterThanOrEqual(0);
  expect(x + width).toBeLessThanOrEqual(1280);
});

test("the step picker leads to a trigger by a word that people use for it", async () => {
  const user = await visit.register("trigger-finder");
  const page = await visit.open(`/workflows/${await createGraph(user, chain)}`, { user });
  await page.getByRole("button", { name: "Insert step between A and B" }).click();
  await page.getByRole("combobox", { name: "Search steps" }).fill("atom");
  await page.getByRole("option", { name: "Feed", selected: true }).getByText("Trigger ·").waitFor();
  await page.keyboard.press("Enter");
  await page.locator(".trigger-panel").getByRole("button", { name: "Create feed" }).waitFor();
  expect(await page.locator(".react-flow__edge").count()).toBe(2);
});

test("a line dropped on the empty canvas adds a step that is connected already", async () => {
  const user = await visit.register("dropper");
  const id = await createGraph(user, chain);
  const page = await visit.open(`/workflows/${id}`, { user });
  // Waits until the canvas has been fitted and stands still.
  await stepNode(page, "a").hover();
  const handle = await stepNode(page, "a").locator(".react-flow__handle.source").boundingBox();
  await page.mouse.move(handle!.x + 4, handle!.y + 4);
  await page.mouse.down();
  await page.mouse.move(handle!.x + 260, handle!.y + 120, { steps: 5 });
  await page.mouse.up();
  await page.getByRole("combobox", { name: "Search steps" }).fill("transform");
  await page.keyboard.press("Enter");
  await fillValue(valueField(page, "Template"), "Hello");
  await expect.poll(() => savedEdges(user, id)).toHaveLength(2);
  expect((await savedEdges(user, id))[1]).toMatch(/^a>/);

  // A double click on the empty canvas adds an unconnected step.
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  await page.locator(".react-flow__pane").dblclick({ position: { x: 300, y: 600 } });
  await page.getByRole("combobox", { name: "Search steps" }).fill("file");
  await page.keyboard.press("Enter");
  await expect.poll(() => page.locator(".react-flow__node-step").count()).toBe(4);
});

test("the steps of a loop are nodes inside it: added, selected, edited and connected on the canvas", async () => {
  const user = await visit.register("looper");
  const loop = {
    stepId: "each",
    type: "foreach",
    name: "Each order",
    items: "{{input.orders}}",
    steps: [step("line", { template: "{{item}}" })],
  };
  const id = await createGraph(user, { steps: [step("a"), loop], edges: [edge("a", "each")] });
  const page = await visit.open(`/workflows/${id}`, { user });
  const inner = stepNode(page, "each/line");
  const isInside = async (): Promise<boolean> => {
    const [child, parent] = [await inner.boundingBox(), await stepNode(page, "each").boundingBox()];
    return child!.y > parent!.y && child!.y + child!.height < parent!.y + parent!.height;
  };
  await inner.waitFor();
  expect(await isInside()).toBe(true);
  await inner.getByRole("button", { name: "Add step after LINE" }).click();
  await page.getByRole("combobox", { name: "Search steps" }).fill("transform");
  await page.keyboard.press("Enter");
  await page.locator(".node.sel").waitFor();
  expect(await stepNode(page, "each").boundingBox()).toMatchObject({ height: expect.any(Number) });
  await page.getByLabel("Title").fill("Second");
  await fillValue(valueField(page, "Template"), "Hello");
  await expect
    .poll(async () => (await savedGraph(user, id)).steps[1])
    .toMatchObject({
      steps: [{ stepId: "line" }, { name: "Second" }],
      edges: [{ source: "line" }],
    });
  await inner.click();
  await page.keyboard.press("Delete");
  await inner.waitFor({ state: "detached" });
  await page.keyboard.press("Control+z");
  await inner.waitFor();
  expect(await isInside()).toBe(true);
  expect(await seriousFindings(page)).toEqual([]);
});

test("loops contain loops, and a problem is shown at the inner step and in its form", async () => {
  const user = await visit.register("nested");
  const deep = { stepId: "deep", type: "foreach", name: "Deep", items: "{{item.rows}}", steps: [step("x")] };
  const id = await createGraph(user, {
    steps: [
      {
        stepId: "each",
        type: "foreach",
        name: "Each",
        items: "{{input.orders}}",
        steps: [step("line", { template: "{{item}}" }), deep],
      },
    ],
    edges: [],
  });
  const page = await visit.open(`/workflows/${id}`, { user });
  await stepNode(page, "each/line").click();
  const template = valueField(page, "Template");
  await template.fill("{{nonsense.name}}");
  await page.getByText("“nonsense.name” does not exist").waitFor();
  await stepNode(page, "each/line").locator(".node.wrong").waitFor();
  await template.fill("");
  await page.keyboard.type("@");
  await page.getByRole("option", { name: /^This item/ }).click();
  expect(await fieldText(template)).toBe("{{item}}");
  await stepNode(page, "each/line").locator(".node.wrong").waitFor({ state: "detached" });

  // An emptied loop offers a button inside.
  await stepNode(page, "each/deep/x").click();
  await page.keyboard.press("Delete");
  await stepNode(page, "each/deep").getByRole("button", { name: "Add step to Deep" }).click();
  await page.getByRole("combobox", { name: "Search steps" }).fill("sleep");
  await page.keyboard.press("Enter");
  await page.getByRole("textbox", { name: "For", exact: true }).fill("1 s");
  await expect
    .poll(async () => (await savedGraph(user, id)).steps[0].steps)
    .toMatchObject([{ template: "{{item}}" }, { stepId: "deep", steps: [{ type: "delay" }] }]);
});

test("an empty canvas offers triggers, a description and templates", async () => {
  const user = await visit.register("empty");
  const id = await createGraph(user, { steps: [], edges: [] });
  const page = await visit.open(`/workflows/${id}`, { user });
  await page.getByText("Choose a trigger", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Describe it" }).waitFor();
  expect(await seriousFindings(page)).toEqual([]);
  await page.getByRole("button", { name: "Start from a template" }).click();
  await page.getByRole("menuitem").first().click();
  await page.locator(".react-flow__node-step").first().waitFor();
  await page.keyboard.press("Control+z");
  await page.getByText("Choose a trigger", { exact: true }).waitFor();
  // On a phone nothing covers the tiles.
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole("button", { name: /^Endpoint/ }).click({ trial: true, position: { x: 4, y: 20 } });
});

test("a trigger chosen on an empty canvas stays visible when its panel closes", async () => {
  const user = await visit.register("trigger-first");
  const id = await createGraph(user, { steps: [], edges: [] });
  const page = await visit.open(`/workflows/${id}`, { user });
  await page.getByRole("button", { name: /^Endpoint/ }).click();
  await page.locator(".trigger-panel").getByText("Live URL").waitFor();
  await page.getByRole("button", { name: "Close panel" }).click();
  await page.locator(".trigger-panel").waitFor({ state: "detached" });
  // Nothing covers the trigger and its button.
  await page.getByRole("button", { name: "Add first step" }).click();
  await page.getByRole("combobox", { name: "Search steps" }).waitFor();
  expect(await page.getByText("Choose a trigger", { exact: true }).count()).toBe(0);
});

test("on a phone the selected step is visible above its panel", async () => {
  const user = await visit.register("phone");
  const id = await createGraph(user, chain);
  const page = await visit.open(`/workflows/${id}?step=b`, { user, width: 390 });
  const bottomOf = async (node: Locator) => {
    const box = await node.boundingBox();
    return (box?.y ?? 0) + (box?.height ?? 0);
  };
  const isAbove = async (node: Locator, panel: Locator) =>
    (await bottomOf(node)) < ((await panel.boundingBox())?.y ?? 0);
  const panel = page.getByRole("complementary", { name: "Inspector" });
  await panel.waitFor();
  await expect.poll(() => isAbove(stepNode(page, "b"), panel)).toBe(true);
  await page.getByRole("button", { name: "Close panel" }).click();
  await page.getByRole("button", { name: "Fit view" }).click();
  await stepNode(page, "b").click();
  await expect.poll(() => isAbove(stepNode(page, "b"), panel)).toBe(true);
  await page.goto(`${visit.base}/workflows/${id}?trigger=trigger%3Amanual%3A${id}`);
  const trigger = page.locator(".trigger-panel");
  await trigger.waitFor();
  await expect.poll(() => isAbove(page.locator(".react-flow__node-trigger"), trigger)).toBe(true);
});
