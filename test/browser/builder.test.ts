import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import type { RegisteredUser } from "../support/test-app.ts";
import { picture, useVisits } from "./support/visit.ts";

const visit = useVisits();

const twoSteps = {
  steps: [
    { stepId: "order", type: "transform", name: "The order", template: { total: 1200, customer: "Ada" } },
    { stepId: "greet", type: "transform", name: "Greet", template: "Hello" },
  ],
  edges: [{ id: "e1", source: "order", target: "greet" }],
};

async function workflowOf(
  user: RegisteredUser,
  metadata: object = twoSteps,
  name = "Orders",
): Promise<string> {
  const { body } = await user.post("/api/workflows", { name, metadata });
  return body.workflow.id as string;
}

async function saved(page: Page, version: number): Promise<void> {
  await page.getByText(`v${version} · saved`).waitFor();
}

const node = (page: Page, id: string) => page.locator(`.react-flow__node[data-id="${id}"]`);

test("a person builds from nothing with the keyboard, runs it and sees it light up", async () => {
  const user = await visit.register("builder");
  const page = await visit.open("/workflows", { user });
  await page.getByRole("button", { name: "New", exact: true }).click();
  await page.getByText("An empty canvas", { exact: true }).waitFor();
  await page.keyboard.press("/");
  await page.getByRole("combobox").fill("transf");
  await page.keyboard.press("Enter");
  await node(page, "greeting").waitFor();
  await page.getByLabel("Title").fill("Say hello");
  await page.getByLabel("Template (optional)").fill("Hello {{input.name}}");
  await page.locator("h2", { hasText: "Say hello" }).click();
  await page.keyboard.press("/");
  await page.getByRole("combobox").fill("condition");
  await page.keyboard.press("Enter");
  await node(page, "is-large").waitFor();
  await page.getByLabel("Value", { exact: true }).fill("{{steps.greeting.output}}");
  await page.getByLabel("Operator").selectOption("contains");
  await page.getByLabel("Compare with (optional)").fill("Ada");
  await page.getByText(/v\d · saved/).waitFor();

  await page.keyboard.press("Control+Enter");
  await page.getByLabel("Input (JSON)").fill('{"name": "Ada"}');
  await page.getByRole("button", { name: "Run now" }).click();
  await page.locator(".drawer [data-status=completed]").first().waitFor();
  await page.locator(".node.ok").nth(1).waitFor();
  await node(page, "is-large").click();
  await page.getByRole("tab", { name: "Last run" }).click();
  await page.getByText("true", { exact: true }).first().waitFor();
});

test("a placeholder is picked from the real outputs of the last run", async () => {
  const user = await visit.register("picker");
  const id = await workflowOf(user);
  await user.post(`/api/workflows/${id}/run?wait=true`, { input: {} });
  const page = await visit.open(`/workflows/${id}`, { user });
  await node(page, "greet").click();
  const field = page.getByLabel("Template (optional)");
  await field.fill("Dear ");
  await field.press("End");
  await page.getByRole("button", { name: "Insert a value" }).first().click();
  await page.getByText("From the last run of this workflow.").waitFor();
  await page
    .getByRole("option", { name: /steps\.order\.output\.customer "Ada"/ })
    .or(page.getByRole("option", { name: /steps\.order\.output\.customer/ }))
    .first()
    .click();
  expect(await field.inputValue()).toBe("Dear {{steps.order.output.customer}}");
  await saved(page, 2);
  await picture(page, "builder");
});

test("what is wrong is said beside the field, and a draft that cannot be saved is kept over a reload", async () => {
  const user = await visit.register("draft");
  const id = await workflowOf(user);
  const page = await visit.open(`/workflows/${id}`, { user });
  await node(page, "greet").click();
  await page.getByLabel("Template (optional)").fill("{{steps.nobody.output}}");
  await page.getByRole("button", { name: "1 problem" }).waitFor();
  await page.getByText("draft kept here").waitFor();
  expect(await page.getByRole("button", { name: "Run", exact: true }).isDisabled()).toBe(true);
  await page.reload();
  await node(page, "greet").click();
  expect(await page.getByLabel("Template (optional)").inputValue()).toBe("{{steps.nobody.output}}");
  await page.getByLabel("Template (optional)").fill("{{steps.order.output}}");
  await saved(page, 2);
});

test("a lost connection loses nothing: the draft waits here and goes out when the network is back", async () => {
  const user = await visit.register("tunnel");
  const id = await workflowOf(user);
  const page = await visit.open(`/workflows/${id}`, { user });
  await node(page, "greet").click();
  await page.context().setOffline(true);
  await page.getByLabel("Template (optional)").fill("Written in a tunnel");
  await page.getByText("draft kept here").waitFor();
  await page.context().setOffline(false);
  await saved(page, 2);
  expect((await user.get(`/api/workflows/${id}`)).body.workflow.metadata.steps[1].template).toBe(
    "Written in a tunnel",
  );
});

test("undo, redo, copy, paste and delete work from the keyboard, and renaming follows into placeholders", async () => {
  const user = await visit.register("keys");
  const id = await workflowOf(user, {
    ...twoSteps,
    steps: [twoSteps.steps[0], { ...twoSteps.steps[1], template: "{{steps.order.output.total}}" }],
  });
  const page = await visit.open(`/workflows/${id}`, { user });
  await node(page, "order").click();
  await page.keyboard.press("Control+c");
  await page.keyboard.press("Control+v");
  await node(page, "order-2").waitFor();
  await page.keyboard.press("Delete");
  await node(page, "order-2").waitFor({ state: "detached" });
  await page.keyboard.press("Control+z");
  await node(page, "order-2").waitFor();
  await page.keyboard.press("Control+Shift+Z");
  await node(page, "order-2").waitFor({ state: "detached" });

  await node(page, "order").click();
  await page.getByLabel("Name in placeholders").fill("purchase");
  await page.getByLabel("Name in placeholders").press("Tab");
  await node(page, "purchase").waitFor();
  await page.locator("h2").first().click();
  await page.keyboard.press("ArrowDown");
  await page.locator("h2", { hasText: "Greet" }).waitFor();
  expect(await page.getByLabel("Template (optional)").inputValue()).toBe("{{steps.purchase.output.total}}");
});

test("steps are dragged from the palette, and lines get their words", async () => {
  const user = await visit.register("dragger");
  const id = await workflowOf(user, {
    steps: [
      { stepId: "check", type: "condition", left: "{{input.n}}", operator: "gt", right: 1 },
      twoSteps.steps[1],
    ],
    edges: [],
  });
  const page = await visit.open(`/workflows/${id}`, { user });
  await node(page, "check").click();
  await page.getByLabel("Goes on to").selectOption("greet");
  await page.locator(".react-flow__edge-text", { hasText: "true" }).waitFor();
  await page.getByRole("button", { name: "→ Greet" }).click();
  await page.getByLabel("Taken when").selectOption("false");
  await page.locator(".react-flow__edge-text", { hasText: "false" }).waitFor();
  await page
    .locator(".palette-item", { hasText: "Wait" })
    .last()
    .dragTo(page.locator(".react-flow__pane"), { targetPosition: { x: 120, y: 90 } });
  await node(page, "pause").waitFor();
});

test("history compares versions and goes back to one", async () => {
  const user = await visit.register("historian");
  const id = await workflowOf(user);
  await user.put(`/api/workflows/${id}`, {
    metadata: { ...twoSteps, steps: [twoSteps.steps[0], { ...twoSteps.steps[1], template: "Goodbye" }] },
  });
  const page = await visit.open(`/workflows/${id}`, { user });
  await page.getByRole("button", { name: "History" }).click();
  await page.getByRole("button", { name: /^v1/ }).click();
  await page.locator("del", { hasText: "Hello" }).waitFor();
  await page.locator("ins", { hasText: "Goodbye" }).waitFor();
  await picture(page, "history");
  await page.getByRole("button", { name: "Go back to v1" }).click();
  await saved(page, 3);
  await node(page, "greet").click();
  expect(await page.getByLabel("Template (optional)").inputValue()).toBe("Hello");
});

test("an edit made elsewhere opens the merge view, and nothing of either side is lost", async () => {
  const user = await visit.register("merger");
  const id = await workflowOf(user);
  const page = await visit.open(`/workflows/${id}`, { user });
  await node(page, "greet").click();
  const [order, greet] = twoSteps.steps;
  await user.put(`/api/workflows/${id}`, {
    metadata: {
      ...twoSteps,
      steps: [
        { ...order, name: "The purchase" },
        { ...greet, template: "Theirs" },
      ],
    },
  });
  await page.getByLabel("Template (optional)").fill("Mine");
  await page.getByText("This workflow was changed elsewhere").waitFor();
  await picture(page, "merge");
  await page.getByRole("radio", { name: /Yours/ }).check();
  await page.getByRole("button", { name: "Save the joined one" }).click();
  await saved(page, 3);
  const { body } = await user.get(`/api/workflows/${id}`);
  expect(body.workflow.metadata.steps).toMatchObject([{ name: "The purchase" }, { template: "Mine" }]);
});

test("a workflow leaves as a file and comes back by drop", async () => {
  const user = await visit.register("carrier");
  const id = await workflowOf(user, twoSteps, "Travelling");
  const page = await visit.open("/workflows", { user });
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Export Travelling" }).click();
  const file = await (await download).path();
  await page
    .getByLabel("Workflow file")
    .setInputFiles({ name: "travelling.json", mimeType: "application/json", buffer: readFileSync(file) });
  await page.waitForURL((url) => url.pathname.startsWith("/workflows/wf_") && !url.pathname.endsWith(id));
  await node(page, "greet").waitFor();
  expect((await user.get("/api/workflows")).body.workflows).toHaveLength(2);
});

test("described in words, a graph is shown first and kept only on request", async () => {
  const user = await visit.register("dreamer");
  await workflowOf(user);
  const page = await visit.open("/workflows", { user });
  await page.getByRole("button", { name: "Describe it" }).click();
  await page
    .getByLabel("What should happen?")
    .fill("Fetch https://example.com/orders, ask me for approval, then write the result to orders.json");
  await page.getByRole("button", { name: "Draw it" }).click();
  await page.locator(".preview .react-flow__node").nth(2).waitFor();
  expect((await user.get("/api/workflows")).body.workflows).toHaveLength(1);
  await picture(page, "describe");
  await page.getByRole("button", { name: "Keep it" }).click();
  await page.waitForURL(/\/workflows\/wf_/);
  expect((await user.get("/api/workflows")).body.workflows).toHaveLength(2);
});

test("hostile names are shown as text and load nothing", async () => {
  const user = await visit.register("hostile");
  const hostile = `<img src="https://evil.example/x" onerror="alert(1)">`;
  const id = await workflowOf(
    user,
    { steps: [{ stepId: "a", type: "transform", name: hostile, template: hostile }], edges: [] },
    hostile,
  );
  const page = await visit.open("/workflows", { user });
  await page.getByRole("link", { name: hostile }).click();
  await node(page, "a").click();
  await page.locator("h2", { hasText: hostile }).waitFor();
  await user.post(`/api/workflows/${id}/run?wait=true`, { input: {} });
  await page.goto(`${visit.base}/runs`);
  await page.getByRole("link", { name: hostile }).click();
  await page.getByText("evil.example").first().waitFor();
  expect(await page.locator("img").count()).toBe(0);
});

test("five hundred steps are drawn a screenful at a time", async () => {
  const user = await visit.register("large");
  const steps = Array.from({ length: 500 }, (_, index) => ({
    stepId: `s${index}`,
    type: "transform",
    template: index,
  }));
  const edges = steps
    .slice(1)
    .map((step, index) => ({ id: `e${index}`, source: `s${Math.floor(index / 2)}`, target: step.stepId }));
  const id = await workflowOf(user, { steps, edges }, "Large");
  const page = await visit.open(`/workflows/${id}`, { user });
  await page.locator(".react-flow__node").first().waitFor();
  await page.keyboard.press("ArrowDown");
  await page.locator("h2", { hasText: "s0" }).waitFor();
  for (let click = 0; click < 8; click += 1) await page.getByRole("button", { name: "Zoom In" }).click();
  await expect.poll(() => page.locator(".react-flow__node").count(), { timeout: 10_000 }).toBeLessThan(200);
});
