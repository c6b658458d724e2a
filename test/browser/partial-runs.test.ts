import { expect, test } from "vitest";
import { createGraph, stepNode } from "./support/builder.ts";
import { checkScreen, useVisits } from "./support/visit.ts";

const visit = useVisits();

test("single steps run with the outputs of the other steps and the last input", async () => {
  const user = await visit.register("tinkerer");
  const id = await createGraph(user, {
    steps: [
      { stepId: "order", type: "transform", template: { total: "{{input.total}}" } },
      { stepId: "tax", type: "transform", template: { tax: "{{steps.order.output.total}}" } },
      { stepId: "bill", type: "transform", template: { from: "{{steps.tax.output}}" } },
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
  const id = await createGraph(user, {
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
  // Flat data is edited without JSON, too.
  await page.getByText("Fields", { exact: true }).click();
  await page.getByLabel("customer", { exact: true }).fill("Eve");
  await checkScreen(page, "pin");
  await page.reload();
  await stepNode(page, "shop").getByText("pinned").waitFor();
  await stepNode(page, "greet").click();
  await page.getByText("= Hello Eve").waitFor();
  await page.getByRole("button", { name: "Test", exact: true }).click();
  await page.getByRole("tabpanel").getByText('"Hello Eve"').first().waitFor();

  await page.getByRole("button", { name: "Pin", exact: true }).click();
  await page.getByLabel("Sample output (JSON)").fill('"Hi"');
  await page.getByRole("button", { name: "Test", exact: true }).click();
  await page.getByRole("region", { name: "Last result" }).getByText('"Hello Eve"').waitFor();

  await stepNode(page, "shop").click();
  await page.getByRole("button", { name: "Unpin" }).click();
  await page.getByText("Run the workflow once, or paste sample data.").waitFor();
});

test("Run to here asks for the input that no run has given, and opens a step that needs setup", async () => {
  const user = await visit.register("runner");
  const steps = [
    { stepId: "order", type: "transform", name: "Order", template: { total: "{{input.total}}" } },
    { stepId: "tax", type: "transform", name: "Tax", template: "{{steps.order.output.total}}" },
    {
      stepId: "each",
      type: "foreach",
      name: "Each",
      items: [1],
      steps: [{ stepId: "call", type: "http", name: "Call" }],
    },
  ];
  const edges = [
    { id: "e1", source: "order", target: "tax" },
    { id: "e2", source: "tax", target: "each" },
  ];
  const id = await createGraph(user, { steps: steps.slice(0, 2), edges: edges.slice(0, 1) });
  expect((await user.put(`/api/workflows/${id}/draft`, { metadata: { steps, edges } })).status).toBe(200);
  const page = await visit.open(`/workflows/${id}?step=tax`, { user });
  const runToHere = async () => {
    await page.getByRole("complementary").getByRole("button", { name: "More actions" }).click();
    await page.getByRole("menuitem", { name: "Run to here" }).click();
  };
  await stepNode(page, "tax").click({ button: "right" });
  await page.getByRole("menuitem", { name: "Test step" }).click();
  await page.getByText("“Tax” needs the output of “Order”.").waitFor();
  await runToHere();
  await page.getByRole("dialog").getByRole("textbox").fill('{"total": 1200}');
  await page.getByRole("button", { name: "Run now" }).click();
  const drawer = page.locator(".run-drawer");
  await drawer.locator("[data-step=tax][data-status=completed]").waitFor();
  expect(await drawer.locator("[data-step][data-status=completed]").count()).toBe(2);

  await stepNode(page, "each").click({ position: { x: 60, y: 12 } });
  await runToHere();
  await page.getByText("Not started: “Call” needs setup.").waitFor();
  await page.locator("h2", { hasText: "Call" }).or(page.getByLabel("Title")).first().waitFor();
  await page.getByText("Needs setup").first().waitFor();
});
