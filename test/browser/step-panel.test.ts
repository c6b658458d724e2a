import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "playwright-core";
import { expect, onTestFinished, test } from "vitest";
import type { RegisteredUser } from "../support/test-app.ts";
import { stepNode, valueField } from "./support/builder.ts";
import { checkScreen, fieldText, useVisits, savedGraph } from "./support/visit.ts";

const visit = useVisits();

const order = {
  stepId: "get-order",
  type: "transform",
  name: "Get order",
  template: { total: 128.4, payment_intent: "pi_3QK2", customer: { email: "ada@example.com" } },
};
const note = { stepId: "note", type: "transform", name: "Note", template: "Hello" };

async function createWorkflow(user: RegisteredUser, steps: object[] = [order, note]): Promise<string> {
  const ids = steps.map((step) => (step as { stepId: string }).stepId);
  const edges = ids.slice(1).map((target, index) => ({ id: `e${index}`, source: ids[index], target }));
  const { body } = await user.post("/api/workflows", { name: "Refunds", metadata: { steps, edges } });
  return body.workflow.id as string;
}

/** A workflow that has run once, opened with one step selected. */
async function openRunStep(name: string, stepId: string, steps?: object[], input: object = {}) {
  const user = await visit.register(name);
  const id = await createWorkflow(user, steps);
  await user.post(`/api/workflows/${id}/run?wait=true`, { input });
  const page = await visit.open(`/workflows/${id}?step=${stepId}`, { user });
  await page.getByRole("complementary", { name: "Inspector" }).waitFor();
  return { user, id, page };
}

async function storedStep(user: RegisteredUser, id: string, index: number): Promise<any> {
  return (await savedGraph(user, id)).steps[index];
}

const panel = (page: Page) => page.getByRole("complementary", { name: "Inspector" });

test("a placeholder is typed inline with completion, and free text stays as it was typed", async () => {
  const { page } = await openRunStep("typist", "note");
  const field = valueField(panel(page), "Template");
  await field.click();
  await page.keyboard.press("Control+a");
  await page.keyboard.type("Refund @pay");
  const options = page.getByRole("listbox").getByRole("option");
  await options.first().getByText("pi_3QK2").waitFor();
  await checkScreen(page, "completion");
  await page.keyboard.press("Enter");
  expect(await fieldText(field)).toBe("Refund {{steps.get-order.output.payment_intent}}");
  await field.locator(".ph-chip").getByText("Get order › payment_intent").waitFor();
  await panel(page).getByText("= Refund pi_3QK2").waitFor();

  await page.keyboard.type(" to ada@example.com, {{nothing like it");
  await page.getByRole("listbox").waitFor({ state: "detached" });
  expect(await fieldText(field)).toBe(
    "Refund {{steps.get-order.output.payment_intent}} to ada@example.com, {{nothing like it",
  );
  await page.keyboard.press("Control+a");
  await page.keyboard.type("{{");
  await options.first().waitFor();
  await page.keyboard.press("Escape");
  await options.first().waitFor({ state: "detached" });
  // Escape closed the list, not the panel.
  await field.waitFor();
  await page.keyboard.type("get-order.total}} left");
  expect(await fieldText(field)).toBe("{{get-order.total}} left");
});

test("an unknown placeholder is red at once, and one click writes the one that was meant", async () => {
  const { page } = await openRunStep("speller", "note");
  const field = valueField(panel(page), "Template");
  await field.fill("Total {{get-order.totl}}");
  await field.locator(".ph-chip.unknown").waitFor();
  expect(await field.getAttribute("aria-invalid")).toBe("true");
  await panel(page).getByRole("button", { name: "Did you mean Get order › total?" }).click();
  expect(await fieldText(field)).toBe("Total {{steps.get-order.output.total}}");
  await panel(page).getByText("= Total 128.4").waitFor();
  expect(await field.getAttribute("aria-invalid")).toBeNull();
});

test("a value is dragged from the input tree into a field, or clicked while the field has the focus", async () => {
  const { page } = await openRunStep("dragger", "note");
  await page.getByRole("button", { name: "Open wide" }).click();
  const wide = page.getByRole("region", { name: "Step", exact: true });
  const field = valueField(wide, "Template");
  await field.fill("");
  const tree = wide.getByRole("region", { name: "Get order" });
  await tree.getByRole("button", { name: /^number total/ }).dragTo(field);
  await expect.poll(() => fieldText(field)).toBe("{{steps.get-order.output.total}}");
  await page.keyboard.type(" for ");
  await tree.getByRole("button", { name: "Fields of customer" }).click();
  await field.click();
  await page.keyboard.press("End");
  await tree.getByRole("button", { name: /^text email/ }).click();
  await expect
    .poll(() => fieldText(field))
    .toBe("{{steps.get-order.output.total}} for {{steps.get-order.output.customer.email}}");
  await wide.getByLabel("Search values").fill("intent");
  await tree.getByRole("button", { name: /payment_intent/ }).waitFor();
  expect(await tree.getByRole("button", { name: /total/ }).count()).toBe(0);
  await checkScreen(page, "step-wide");
});

test("a new step is empty and needs setup; its optional fields and durations read as words", async () => {
  const user = await visit.register("newcomer");
  const id = await createWorkflow(user, [order]);
  const page = await visit.open(`/workflows/${id}`, { user });
  await page.locator(".react-flow__node").first().waitFor();
  await page.keyboard.press("/");
  await page.getByRole("combobox").fill("http");
  await page.keyboard.press("Enter");
  await panel(page).getByText("Needs setup").waitFor();
  await stepNode(page, "http-request").getByText("Needs setup").waitFor();
  const url = panel(page).getByLabel("URL");
  expect(await fieldText(url)).toBe("");
  await panel(page).getByText("https://api.example.com/orders").waitFor();
  await url.fill("https://shop.example/orders");
  await panel(page).getByText("Needs setup").waitFor({ state: "detached" });
  expect(await panel(page).getByLabel("Body").count()).toBe(0);
  await panel(page).getByRole("button", { name: "+ Query" }).click();
  await panel(page).getByLabel("Query: name 1").fill("day");
  await panel(page).getByLabel("Query: value 1").fill("monday");

  const onError = panel(page).locator("summary", { hasText: "On error" });
  await onError.click();
  await panel(page).getByLabel("Retries").fill("3");
  await onError.getByText("3 retries, then stop the run").waitFor();
  const limits = panel(page).locator("summary", { hasText: "Limits" });
  await limits.click();
  await panel(page).getByLabel("Time limit").fill("1 min 30 s");
  await limits.getByText("Timeout 1 min 30 s").waitFor();
  await checkScreen(page, "step-settings");
  await page.keyboard.press("Control+s");
  await expect.poll(async () => (await storedStep(user, id, 1))?.timeoutMs).toBe(90_000);
  expect(await storedStep(user, id, 1)).toMatchObject({
    stepId: "http-request",
    url: "https://shop.example/orders",
    query: { day: "monday" },
    maxRetries: 3,
  });
});

/** A service that fails once for each order and then returns it with a header. */
async function shopService(): Promise<string> {
  let calls = 0;
  const server = createServer((_request, response) => {
    calls += 1;
    response
      .writeHead(calls === 1 ? 503 : 200, { "content-type": "application/json", "x-shop": "north" })
      .end(JSON.stringify([{ sku: "LAMP", price: 64.2 }, { sku: "DESK" }]));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

test("the wide view opens by Enter, survives a reload and closes by Escape", async () => {
  const { page } = await openRunStep("wide", "note");
  await stepNode(page, "note").click();
  await page.keyboard.press("Enter");
  const wide = page.getByRole("region", { name: "Step", exact: true });
  await wide.getByRole("region", { name: "Settings" }).waitFor();
  expect(page.url()).toContain("view=step");
  await page.reload();
  await wide.getByRole("region", { name: "Input" }).getByText("pi_3QK2").waitFor();
  await wide.getByRole("button", { name: "Previous step: Get order" }).click();
  await wide.getByRole("heading", { name: "Get order" }).waitFor();
  expect(page.url()).toContain("step=get-order");
  await page.keyboard.press("Escape");
  await wide.waitFor({ state: "detached" });
  await panel(page).getByRole("heading", { name: "Get order" }).waitFor();
  expect(page.url()).not.toContain("view=step");
});

test("the output of an HTTP request shows status, headers, attempts, and the body as table, JSON and schema", async () => {
  const { page } = await openRunStep("caller", "fetch", [
    { stepId: "fetch", type: "http", name: "Fetch", url: await shopService(), maxRetries: 1 },
    note,
  ]);
  await panel(page).getByRole("tab", { name: "Output" }).click();
  const output = panel(page);
  await output.getByText("200 OK").waitFor();
  await output.getByText("2 attempts").waitFor();
  await output.getByRole("radio", { name: "Table" }).click();
  await output.getByRole("cell", { name: "LAMP" }).waitFor();
  await output.getByRole("radio", { name: "Schema" }).click();
  await output.getByText("number, not always").waitFor();
  await output.getByRole("tab", { name: /^Headers/ }).click();
  await output.getByText("x-shop").waitFor();
  await output.getByRole("tab", { name: "Attempts" }).click();
  await output.locator(".attempt > summary", { hasText: "Attempt 1" }).waitFor();
  await checkScreen(page, "step-output");

  await output.getByRole("button", { name: "Pin" }).click();
  await page.reload();
  await stepNode(page, "fetch").getByText("pinned").waitFor();
});

test("values inside a loop are paged by item, in the input and in the output", async () => {
  const items = [{ sku: "LAMP" }, { sku: "DESK" }, { sku: "SOFA" }];
  const { page } = await openRunStep("pager", "each/line", [
    { stepId: "get-order", type: "transform", name: "Get order", template: { items } },
    {
      stepId: "each",
      type: "foreach",
      name: "Each item",
      items: "{{steps.get-order.output.items}}",
      steps: [{ stepId: "line", type: "transform", name: "Line", template: "Sold {{item.sku}}" }],
    },
  ]);
  await panel(page).getByText("= Sold LAMP").waitFor();
  await panel(page).getByRole("tab", { name: "Input" }).click();
  const item = panel(page).getByRole("region", { name: "This item" });
  await item.getByRole("button", { name: "Next item" }).click();
  await item.getByRole("button", { name: "text sku DESK" }).waitFor();
  await panel(page).getByRole("tab", { name: "Output" }).click();
  await panel(page).getByText("Item 2 of 3").waitFor();
  await panel(page).getByText('"Sold DESK"').waitFor();
});

test("a test asks for the values that are missing, and runs with the entered ones", async () => {
  const user = await visit.register("asker");
  const id = await createWorkflow(user, [
    { stepId: "shop", type: "http", name: "Shop", url: "https://shop.example/orders/7" },
    { stepId: "greet", type: "transform", name: "Greet", template: "Hello {{steps.shop.output.customer}}" },
  ]);
  const page = await visit.open(`/workflows/${id}?step=greet`, { user });
  await valueField(panel(page), "Template").click();
  await page.keyboard.press("Control+Shift+Enter");
  const asked = page.getByRole("form", { name: "Values for the test" });
  await asked.getByLabel("Shop (JSON)").fill('{"customer": "Ada"}');
  await asked.getByRole("button", { name: "Test step" }).click();
  await panel(page).getByText('"Hello Ada"').waitFor();
});

test("the reference name follows the title until a person edits it, and results stay with the step", async () => {
  const { user, id, page } = await openRunStep("namer", "get-order", [
    order,
    { ...note, template: "{{steps.get-order.output.total}}" },
  ]);
  const title = panel(page).getByLabel("Title");
  await title.fill("Load order");
  await title.press("Enter");
  await stepNode(page, "load-order").waitFor();
  await stepNode(page, "note").click();
  const field = valueField(panel(page), "Template");
  await field.locator(".ph-chip").getByText("Load order › total").waitFor();
  await panel(page).getByText("= 128.4").waitFor();

  await stepNode(page, "load-order").click();
  await page.locator("summary", { hasText: "Reference name" }).click();
  await page.getByLabel("Reference name").fill("source");
  await page.getByLabel("Reference name").press("Tab");
  await stepNode(page, "source").waitFor();
  await title.fill("Read order");
  await title.press("Enter");
  await expect.poll(async () => (await storedStep(user, id, 0)).name).toBe("Read order");
  expect(await storedStep(user, id, 0)).toMatchObject({ stepId: "source" });
  expect(await storedStep(user, id, 1)).toMatchObject({ template: "{{steps.source.output.total}}" });
});

test("on a phone the step is a sheet of two heights with values above the keyboard", async () => {
  const user = await visit.register("phone");
  const id = await createWorkflow(user);
  await user.post(`/api/workflows/${id}/run?wait=true`, { input: {} });
  const page = await visit.open(`/workflows/${id}?step=note`, { user, width: 390 });
  const field = valueField(panel(page), "Template");
  await field.fill("Total ");
  const values = panel(page).getByRole("group", { name: "Values to insert" });
  await values.getByRole("button", { name: "Get order › total" }).click();
  expect(await fieldText(field)).toBe("Total {{steps.get-order.output.total}}");
  const half = await panel(page).boundingBox();
  await panel(page).getByRole("button", { name: "Full height" }).click();
  await panel(page).getByRole("button", { name: "Half height" }).waitFor();
  expect((await panel(page).boundingBox())!.height).toBeGreaterThan(half!.height + 150);
  await checkScreen(page, "step-phone");
});
