import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { RegisteredUser } from "../support/test-app.ts";
import { openStep, stepNode, valueField } from "./support/builder.ts";
import {
  checkScreen,
  dropFile,
  fieldText,
  savedGraph,
  saveToken,
  useVisits,
  waitForSave,
} from "./support/visit.ts";

const visit = useVisits();

const twoSteps = {
  steps: [
    { stepId: "order", type: "transform", name: "The order", template: { total: 1200, customer: "Ada" } },
    { stepId: "greet", type: "transform", name: "Greet", template: "Hello" },
  ],
  edges: [{ id: "e1", source: "order", target: "greet" }],
};

async function createWorkflow(
  user: RegisteredUser,
  metadata: object = twoSteps,
  name = "Orders",
): Promise<string> {
  const { body } = await user.post("/api/workflows", { name, metadata });
  return body.workflow.id as string;
}

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
  await valueField(page, "Template").fill("Hello {{input.name}}");
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

test("a placeholder is one unit: titled by its step, skipped by one key, deleted, copied and undone as a whole", async () => {
  const user = await visit.register("chips");
  const id = await createWorkflow(user);
  const page = await visit.open(`/workflows/${id}`, { user });
  await openStep(page, "greet");
  const field = valueField(page, "Template");
  const chips = field.locator(".ph-chip");
  await field.fill("Dear {{steps.order.output.customer}}");
  await chips.getByText("The order › customer").waitFor();
  await field.press("End");
  await page.keyboard.type(", hello");
  expect(await fieldText(field)).toBe("Dear {{steps.order.output.customer}}, hello");

  for (let key = 0; key < 7; key += 1) await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.type("Ms ");
  expect(await fieldText(field)).toBe("Dear Ms {{steps.order.output.customer}}, hello");
  await page.keyboard.press("Delete");
  expect(await fieldText(field)).toBe("Dear Ms , hello");
  await page.keyboard.press("Control+z");
  expect(await fieldText(field)).toBe("Dear Ms {{steps.order.output.customer}}, hello");
  await page.keyboard.press("Control+y");
  expect(await fieldText(field)).toBe("Dear Ms , hello");
  await page.keyboard.press("Control+z");

  await page.keyboard.press("Control+a");
  await page.keyboard.press("Control+c");
  await page.keyboard.press("End");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Control+v");
  const once = "Dear Ms {{steps.order.output.customer}}, hello";
  expect(await fieldText(field)).toBe(`${once}\n${once}`);
  expect(await chips.count()).toBe(2);
  await page.keyboard.press("Control+a");
  await page.keyboard.press("Control+x");
  expect(await fieldText(field)).toBe("");
  await page.keyboard.type("To {{inp");
  await page.getByRole("option", { name: "Input" }).click();
  await page.keyboard.type("!");
  expect(await fieldText(field)).toBe("To {{input}}!");
});

test("problems are shown next to the field, and a draft with problems survives a reload", async () => {
  const user = await visit.register("draft");
  const id = await createWorkflow(user);
  const page = await visit.open(`/workflows/${id}`, { user });
  await openStep(page, "greet");
  const template = valueField(page, "Template");
  expect(await fieldText(template)).toBe("Hello");
  await template.fill("{{steps.missing.output}}");
  await page.getByRole("button", { name: "1 problem" }).waitFor();
  await page.getByRole("button", { name: "1 step needs setup" }).waitFor();
  await waitForSave(page);
  await page.reload();
  await openStep(page, "greet");
  expect(await fieldText(valueField(page, "Template"))).toBe("{{steps.missing.output}}");
  await valueField(page, "Template").fill("{{steps.order.output}}");
  await waitForSave(page);
});

test("a step that is opened offline is edited and saved when the network is back", async () => {
  const user = await visit.register("tunnel");
  const id = await createWorkflow(user);
  const page = await visit.open(`/workflows/${id}`, { user });
  await stepNode(page, "greet").waitFor();
  const assets = new Set<string>();
  const loading = new Set<string>();
  page.on("request", (request) => {
    if (!request.url().includes("/assets/")) return;
    assets.add(request.url().replace(/.*\/assets\/|-[^-]*$/g, ""));
    loading.add(request.url());
  });
  page.on("requestfinished", (request) => loading.delete(request.url()));
  await page.mouse.move(20, 20);
  await expect.poll(() => [...assets]).toEqual(expect.arrayContaining(["inspector", "value-editor"]));
  await expect.poll(() => [...loading]).toEqual([]);
  await page.context().setOffline(true);
  await openStep(page, "greet");
  await valueField(page, "Template").fill("Edited offline");
  await page.getByText("Not saved, retrying").waitFor();
  await page.context().setOffline(false);
  await waitForSave(page);
  expect((await savedGraph(user, id)).steps[1].template).toBe("Edited offline");
});

test("a draft survives an expired session and is saved after signing in", async () => {
  const user = await visit.register("sleeper");
  const id = await createWorkflow(user);
  const page = await visit.open(`/workflows/${id}`, { user });
  await openStep(page, "greet");
  await saveToken(page, "expired");
  await valueField(page, "Template").fill("Edited after expiry");
  await page.getByLabel("Email").fill(user.email);
  await page.getByLabel("Password", { exact: true }).fill(user.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await openStep(page, "greet");
  expect(await fieldText(valueField(page, "Template"))).toBe("Edited after expiry");
  await waitForSave(page);
});

test("undo, redo, copy, paste and delete work by keyboard, and renaming updates placeholders", async () => {
  const user = await visit.register("keys");
  const id = await createWorkflow(user, {
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
  const id = await createWorkflow(user, {
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
  await page.locator(".run-drawer [data-step=check]").waitFor();
});

test("single steps run with the outputs of the other steps and the last input", async () => {
  const user = await visit.register("tinkerer");
  const id = await createWorkflow(user, {
    steps: [
      { stepId: "order", type: "transform", template: { total: "{{input.total}}" } },
      { stepId: "tax", type: "transform", template: { tax: "{{steps.order.output.total}}" } },
      { stepId: "bill", type: "transform", template: ["{{steps.order.output}}", "{{steps.tax.output}}"] },
    ],
    edges: [
      { id: "e1", source: "order", target: "tax" },
      { id: "e2", source: "tax", target: "bill" },
    ],
  });
  await user.post(`/api/workflows/${id}/run?wait=true`, { input: { total: 1200 } });
  const page = await visit.open(`/workflows/${id}`, { user });
  const output = page.getByRole("tabpanel").getByRole("group", { name: "Value", exact: true }).first();
  const drawer = page.locator(".run-drawer");
  for (const [step, text] of [
    ["order", "total: 1200"],
    ["tax", "tax: 1200"],
    ["bill", "tax: 1200"],
  ] as const) {
    await stepNode(page, step).click();
    await page.getByRole("button", { name: "Test", exact: true }).click();
    await drawer.locator(`[data-step=${step}][data-status=completed]`).waitFor();
    expect(await drawer.locator("[data-step][data-status=completed]").count()).toBe(1);
    await output.getByText(text).waitFor();
  }

  await stepNode(page, "tax").click();
  await page.getByRole("complementary").getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Run from here" }).click();
  await drawer.locator("[data-step=tax][data-status=completed]").waitFor();
  await drawer.locator("[data-step=bill][data-status=completed]").waitFor();
  expect(await drawer.locator("[data-step][data-status=completed]").count()).toBe(2);
  await drawer.locator("[data-step=bill] .tl-open").click();
  await page.locator("h2", { hasText: "bill" }).waitFor();
  await output.getByText("tax: 1200").waitFor();
});

test("a pinned output replaces a step that cannot run yet in partial runs", async () => {
  const user = await visit.register("pinner");
  const id = await createWorkflow(user, {
    steps: [
      { stepId: "shop", type: "http", method: "GET", url: "https://shop.example/orders/7" },
      { stepId: "greet", type: "transform", template: "Hello {{steps.shop.output.customer}}" },
    ],
    edges: [{ id: "e1", source: "shop", target: "greet" }],
  });
  const page = await visit.open(`/workflows/${id}`, { user });
  await stepNode(page, "shop").click();
  await page.getByRole("tab", { name: "Output" }).click();
  await page.getByRole("button", { name: "Paste sample data" }).click();
  await page.getByLabel("Sample output (JSON)").fill('{"customer": "Ada"}');
  await checkScreen(page, "pin");
  await page.reload();
  await stepNode(page, "shop").getByText("pinned").waitFor();
  await stepNode(page, "greet").click();
  await page.getByText("= Hello Ada").waitFor();
  await page.getByRole("button", { name: "Test", exact: true }).click();
  await page.getByRole("tabpanel").getByText('"Hello Ada"').first().waitFor();

  await stepNode(page, "shop").click();
  await page.getByRole("button", { name: "Unpin" }).click();
  await page.getByText("Run the workflow once, or paste sample data.").waitFor();
});

test("a step is duplicated by shortcut under its own id", async () => {
  const user = await visit.register("twin");
  const id = await createWorkflow(user);
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
  const id = await createWorkflow(user, twoSteps, "Travelling");
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
  await createWorkflow(user);
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

test("[S25] hostile names are shown as text and load nothing", async () => {
  const user = await visit.register("hostile");
  const hostile = `<img src="https://evil.example/x" onerror="alert(1)">`;
  const id = await createWorkflow(
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
  const id = await createWorkflow(user, { steps, edges }, "Large");
  const page = await visit.open(`/workflows/${id}`, { user });
  await page.locator(".react-flow__node").first().waitFor();
  await page.keyboard.press("ArrowDown");
  await page.locator("h2", { hasText: "s0" }).waitFor();
  await expect.poll(() => page.locator(".react-flow__node").count()).toBeLessThan(200);
});
