import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createGraph, fillValue, stepNode, twoSteps, valueField } from "./support/builder.ts";
import { checkScreen, dropFile, fieldText, savedGraph, useVisits, waitForSave } from "./support/visit.ts";

const visit = useVisits();

test("a user builds a workflow with the keyboard, runs it and sees its progress", async () => {
  const user = await visit.register("builder");
  const page = await visit.open("/workflows", { user });
  await page.getByRole("button", { name: "New workflow", exact: true }).click();
  await page.getByText("Choose a trigger", { exact: true }).waitFor();
  await page.keyboard.press("/");
  await page.getByRole("combobox", { name: "Search steps" }).fill("transf");
  await page.keyboard.press("Enter");
  await stepNode(page, "transform").waitFor();
  await page.getByLabel("Title").fill("Say hello");
  await page.getByLabel("Title").press("Enter");
  await stepNode(page, "say-hello").waitFor();
  await fillValue(valueField(page, "Template"), "Hello {{input.name}}");
  await stepNode(page, "say-hello").click();
  await page.keyboard.press("/");
  await page.getByRole("combobox", { name: "Search steps" }).fill("condition");
  await page.keyboard.press("Enter");
  await stepNode(page, "condition").waitFor();
  await page.getByLabel("Value", { exact: true }).fill("{{steps.say-hello.output}}");
  await page.getByLabel("Comparison").selectOption("contains");
  await page.getByRole("textbox", { name: "Compare with" }).fill("Ada");
  await waitForSave(page);

  await page.keyboard.press("Control+Enter");
  await page.getByLabel("Input (JSON)").fill('{"name": "Ada"}');
  await page.getByRole("button", { name: "Run now" }).click();
  await page.locator(".run-drawer [data-status=completed]").first().waitFor();
  await page.locator(".node.ok").nth(1).waitFor();
  await stepNode(page, "condition").click();
  await page.getByRole("tab", { name: "Output" }).first().click();
  await page.getByText("true", { exact: true }).first().waitFor();
});

test("undo, redo, copy, paste and delete work by keyboard, and renaming updates placeholders", async () => {
  const user = await visit.register("keys");
  const id = await createGraph(user, {
    ...twoSteps,
    steps: [twoSteps.steps[0], { ...twoSteps.steps[1], template: "{{steps.order.output.total}}" }],
  });
  const page = await visit.open(`/workflows/${id}`, { user });
  await stepNode(page, "order").click();
  await page.keyboard.press("Control+c");
  await page.keyboard.press("Control+v");
  await stepNode(page, "order-2").waitFor();
  await page.keyboard.press("Delete");
  await stepNode(page, "order-2").waitFor({ state: "detached" });
  await page.keyboard.press("Control+z");
  await stepNode(page, "order-2").waitFor();
  await page.keyboard.press("Control+Shift+Z");
  await stepNode(page, "order-2").waitFor({ state: "detached" });

  await stepNode(page, "order").click();
  await page.locator("summary", { hasText: "Reference name" }).click();
  await page.getByLabel("Reference name").fill("purchase");
  await page.getByLabel("Reference name").press("Tab");
  await stepNode(page, "purchase").waitFor();
  await stepNode(page, "purchase").click();
  await page.keyboard.press("ArrowDown");
  await page.locator("h2", { hasText: "Greet" }).waitFor();
  expect(await fieldText(valueField(page, "Template"))).toBe("{{steps.purchase.output.total}}");
});

test("lines get conditions, and all steps are selected by a key", async () => {
  const user = await visit.register("dragger");
  const id = await createGraph(user, {
    steps: [
      { stepId: "check", type: "condition", left: "{{input.n}}", operator: "gt", right: 1 },
      twoSteps.steps[1],
    ],
    edges: [],
  });
  const page = await visit.open(`/workflows/${id}`, { user });
  await stepNode(page, "check").click();
  await page.locator("summary", { hasText: "Next steps" }).click();
  await page.getByLabel("Next step", { exact: true }).selectOption("greet");
  await page.locator(".line-label", { hasText: "Yes" }).waitFor();
  await page.getByRole("button", { name: "→ Greet" }).click();
  await page.getByLabel("Condition", { exact: true }).selectOption("false");
  await page.locator(".line-label", { hasText: "No" }).waitFor();
  await page.getByRole("button", { name: "Add step", exact: true }).click();
  await page.getByRole("combobox", { name: "Search steps" }).fill("sleep");
  await page.keyboard.press("Enter");
  await stepNode(page, "wait").waitFor();
  await page.getByRole("textbox", { name: "For", exact: true }).fill("1 s");
  await page.getByRole("button", { name: "Tidy up" }).click();
  await waitForSave(page);
  await page.keyboard.press("Escape");
  await page.keyboard.press("Control+a");
  await page.getByText("3 steps selected").waitFor();
  await stepNode(page, "wait").click();
  await page.keyboard.press("Delete");
  await stepNode(page, "wait").waitFor({ state: "detached" });
  await page.keyboard.press("Control+a");
  await page.getByText("2 steps selected").waitFor();
  await page.getByRole("button", { name: "Run selected steps" }).click();
  await page.getByRole("dialog").getByRole("textbox").fill('{"n": 2}');
  await page.getByRole("button", { name: "Run now" }).click();
  await page.locator(".run-drawer [data-step=check]").waitFor();
});

test("a step is duplicated by shortcut under its own id", async () => {
  const user = await visit.register("twin");
  const id = await createGraph(user);
  const page = await visit.open(`/workflows/${id}`, { user });
  await stepNode(page, "greet").click();
  await page.keyboard.press("Control+d");
  await stepNode(page, "greet-2").waitFor();
  await waitForSave(page);
  const { steps } = await savedGraph(user, id);
  expect(steps.map(({ stepId, template }: any) => [stepId, template]).slice(1)).toEqual([
    ["greet", "Hello"],
    ["greet-2", "Hello"],
  ]);
});

test("a workflow is exported to a file and imported by drag and drop", async () => {
  const user = await visit.register("carrier");
  const id = await createGraph(user, twoSteps, "Travelling");
  const page = await visit.open("/workflows", { user });
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Actions of Travelling" }).click();
  await page.getByRole("menuitem", { name: "Export" }).click();
  const file = join(visit.app.dataDir, "travelling.json");
  await (await download).saveAs(file);
  await dropFile(page.getByRole("region", { name: "Your workflows" }), {
    name: "travelling.json",
    type: "application/json",
    content: readFileSync(file, "utf8"),
  });
  await page.waitForURL((url) => url.pathname.startsWith("/workflows/wf_") && !url.pathname.endsWith(id));
  await stepNode(page, "greet").waitFor();
  expect((await user.get("/api/workflows")).body.workflows).toHaveLength(2);
});

test("a generated workflow is previewed and created only on request", async () => {
  const user = await visit.register("dreamer");
  await createGraph(user);
  const page = await visit.open("/workflows", { user });
  await page.getByRole("button", { name: "More ways to start" }).click();
  await page.getByRole("menuitem", { name: "Describe it" }).click();
  await page
    .getByLabel("Describe the workflow")
    .fill("Fetch https://example.com/orders, ask me for approval, then write the result to orders.json");
  await page.getByRole("button", { name: "Generate preview" }).click();
  await page.locator(".preview .react-flow__node").nth(2).waitFor();
  expect((await user.get("/api/workflows")).body.workflows).toHaveLength(1);
  await checkScreen(page, "generate");
  await page.getByRole("button", { name: "Create" }).click();
  await page.waitForURL(/\/workflows\/wf_/);
  expect((await user.get("/api/workflows")).body.workflows).toHaveLength(2);
});

test("a description that says when to start proposes the trigger, and a button opens its filled form", async () => {
  const user = await visit.register("early-bird");
  await createGraph(user);
  const page = await visit.open("/workflows", { user });
  await page.getByRole("button", { name: "More ways to start" }).click();
  await page.getByRole("menuitem", { name: "Describe it" }).click();
  await page
    .getByLabel("Describe the workflow")
    .fill("Every weekday at 7:30 fetch https://example.com/orders and write the result to orders.json");
  await page.getByRole("button", { name: "Generate preview" }).click();
  await page.getByText("“Every weekday at 7:30” asks for a trigger: Schedule").waitFor();
  await checkScreen(page, "generate-trigger");
  await page.getByRole("button", { name: "Create and set up schedule" }).click();
  const panel = page.locator(".trigger-panel");
  await expect.poll(() => panel.getByLabel("Cron").inputValue()).toBe("30 7 * * 1-5");
  const schedules = async () => (await user.get("/api/schedules")).body.schedules;
  expect(await schedules()).toEqual([]);
  await panel.getByRole("button", { name: "Create schedule" }).click();
  await page.locator('.react-flow__node[data-id^="trigger:schedule:"]').waitFor();
  expect(await schedules()).toMatchObject([{ cron: "30 7 * * 1-5" }]);

  await page.reload();
  await page.locator(".react-flow__node").first().waitFor();
  expect(await panel.count()).toBe(0);
});

test("[S25] hostile names are shown as text and load nothing", async () => {
  const user = await visit.register("hostile");
  const hostile = `<img src="https://evil.example/x" onerror="alert(1)">`;
  const id = await createGraph(
    user,
    { steps: [{ stepId: "a", type: "transform", name: hostile, template: hostile }], edges: [] },
    hostile,
  );
  const page = await visit.open("/workflows", { user });
  await page.getByRole("link", { name: hostile }).click();
  await stepNode(page, "a").click();
  await page.locator("h2", { hasText: hostile }).waitFor();
  await user.post(`/api/workflows/${id}/run?wait=true`, { input: {} });
  await page.goto(`${visit.base}/runs`);
  await page.getByRole("link", { name: hostile }).click();
  await page.getByText("evil.example").first().waitFor();
  expect(await page.locator("img").count()).toBe(0);
});

test("of 500 steps only the visible ones are rendered", async () => {
  const user = await visit.register("large");
  const steps = Array.from({ length: 500 }, (_, index) => ({
    stepId: `s${index}`,
    type: "transform",
    template: index,
  }));
  const edges = steps
    .slice(1)
    .map((step, index) => ({ id: `e${index}`, source: `s${Math.floor(index / 2)}`, target: step.stepId }));
  const id = await createGraph(user, { steps, edges }, "Large");
  const page = await visit.open(`/workflows/${id}`, { user });
  await page.locator(".react-flow__node").first().waitFor();
  await page.keyboard.press("ArrowDown");
  await page.locator("h2", { hasText: "s0" }).waitFor();
  await expect.poll(() => page.locator(".react-flow__node").count()).toBeLessThan(200);
});
