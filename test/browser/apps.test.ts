import { expect, test } from "vitest";
import { createGraph, fillValue, openStep, stepNode, twoSteps, valueField } from "./support/builder.ts";
import { addTrigger, triggerPanel } from "./support/triggers.ts";
import { checkScreen, findingsInOtherTheme, savedGraph, useVisits, waitForSave } from "./support/visit.ts";
import { useWarehouse } from "./support/warehouse-app.ts";

const { warehouse, options } = useWarehouse();
const visit = useVisits({ TRIGGER_MIN_INTERVAL_SECONDS: "1" }, options);

const connected = { kind: "bearer", name: "Main house", app: "api_warehouse", secrets: { token: "right" } };

test("an app is found by what it does; its action becomes a step with the letters of the app", async () => {
  const user = await visit.register("app-builder");
  const { connection } = (await user.post("/api/connections", connected)).body;
  const id = await createGraph(user, twoSteps);
  const page = await visit.open(`/workflows/${id}`, { user });
  await stepNode(page, "greet").click();
  await page.keyboard.press("/");
  const search = page.getByRole("combobox", { name: "Search steps" });
  await search.fill("deposit");
  const actions = page.getByRole("listbox", { name: "Actions of Warehouse" });
  await actions.getByRole("option", { name: "Store a box" }).waitFor();
  await page.getByText("Uses Main house.").waitFor();
  await checkScreen(page, "step-picker-apps");
  expect(await findingsInOtherTheme(page)).toEqual([]);
  await search.press("ArrowRight");
  const first = actions.getByRole("option", { selected: true });
  expect(await search.getAttribute("aria-activedescendant")).toBe(await first.getAttribute("id"));
  await search.press("Enter");

  const node = page.locator(".react-flow__node", { hasText: "Warehouse · Store a box" });
  expect(await node.locator(".app-tile").textContent()).toBe("Wa");
  await node.getByText("Needs setup").waitFor();
  await page.getByText("Needs setup Shelf, Label").waitFor();
  await waitForSave(page);
  expect((await savedGraph(user, id)).steps.at(-1)).toMatchObject({
    stepId: "store-a-box",
    type: "app",
    app: "api_warehouse",
    action: "store_box",
    connection: connection.id,
  });
});

test("a step connects its app in place, chooses from its lists and gets the real answer", async () => {
  const user = await visit.register("app-filler");
  const id = await createGraph(user, {
    steps: [
      { stepId: "store", type: "app", name: "Store", app: "api_warehouse", action: "store_box" },
      { stepId: "after", type: "transform", template: "x" },
    ],
    edges: [{ id: "e", source: "store", target: "after" }],
  });
  const page = await visit.open(`/workflows/${id}`, { user });
  await openStep(page, "store");
  await page.getByRole("button", { name: "Connect", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Connect Warehouse" });
  await dialog.getByText("Ask the keeper for a token.").waitFor();
  await dialog.getByLabel("Token").fill("right");
  await dialog.getByRole("button", { name: "Test" }).click();
  await dialog.getByText("Works as Ada").waitFor();
  await checkScreen(page, "connect-app");
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.waitFor({ state: "detached" });

  const shelf = page.getByRole("button", { name: /^Shelf/ });
  await shelf.click();
  const choices = page.getByRole("dialog", { name: "Shelf" });
  await choices.getByRole("option", { name: /North/ }).waitFor();
  expect(await choices.getByRole("option").count()).toBe(2);
  await choices.getByRole("button", { name: "Show more" }).click();
  await choices.getByRole("option", { name: /Attic/ }).waitFor();
  await checkScreen(page, "app-options");
  await choices.getByRole("combobox").fill("cell");
  await choices.getByRole("option", { name: /Cellar/ }).click();
  await fillValue(valueField(page, "Label"), "Lamps");
  await page.getByRole("button", { name: "+ Fragile" }).click();
  await page.getByRole("combobox", { name: "Fragile" }).selectOption("Yes");
  await waitForSave(page);
  expect((await savedGraph(user, id)).steps[0].input).toEqual({ shelf: "5", label: "Lamps", fragile: true });

  // Before the first run the sample stands for the output, also in the fields of later steps.
  await page.getByRole("tab", { name: "Output" }).click();
  await page.getByRole("region", { name: "Sample output" }).getByText("box_9").waitFor();
  await page.getByRole("button", { name: "Test", exact: true }).click();
  await page.getByText("box_1").waitFor();
  expect(warehouse.stored).toEqual([{ shelf: "5", label: "Lamps", fragile: true }]);
  await checkScreen(page, "app-step-output");

  // A value of its own, or a placeholder, is always possible.
  await page.getByRole("tab", { name: "Settings" }).click();
  await shelf.click();
  await choices.getByRole("button", { name: "Enter a value or placeholder" }).click();
  await fillValue(valueField(page, "Shelf"), "{{input.shelf}}");
  await waitForSave(page);
  expect((await savedGraph(user, id)).steps[0].input.shelf).toBe("{{input.shelf}}");
});

test("the sample of an app step is offered to later steps before the first run", async () => {
  const user = await visit.register("app-sampler");
  const id = await createGraph(user, {
    steps: [
      { stepId: "store", type: "app", name: "Store", app: "api_warehouse", action: "store_box" },
      { stepId: "after", type: "transform", template: "x" },
    ],
    edges: [{ id: "e", source: "store", target: "after" }],
  });
  const page = await visit.open(`/workflows/${id}?step=after`, { user });
  const template = page.locator(".ph-editor .cm-content").first();
  await template.fill("@shelf");
  await page.getByRole("option", { name: /Store › shelf/ }).click();
  await waitForSave(page);
  expect((await savedGraph(user, id)).steps[1].template).toContain("{{steps.store.output.shelf}}");
});

test("a trigger of an app is created with its connection and fields, and tested with a real item", async () => {
  warehouse.items = [{ id: "1", title: "Lamp" }];
  const user = await visit.register("app-starter");
  const { connection } = (await user.post("/api/connections", connected)).body;
  const id = await createGraph(user, twoSteps);
  const page = await visit.open(`/workflows/${id}`, { user });
  await addTrigger(page, "App");
  const panel = triggerPanel(page);
  const search = panel.getByRole("combobox", { name: "Search apps and events" });
  await search.fill("item");
  await search.press("Enter");
  await panel.getByLabel("Connection").selectOption(connection.id as string);
  await panel.getByRole("button", { name: /^Shelf/ }).click();
  await page.getByRole("option", { name: /South/ }).click();
  await panel.getByLabel("Colour").fill("red");
  await checkScreen(page, "app-trigger");
  await panel.getByRole("button", { name: "Create trigger" }).click();
  await panel.getByRole("button", { name: "Fetch test event" }).click();
  await panel.getByText("Lamp").first().waitFor();
  const { triggers } = (await user.get("/api/triggers")).body;
  expect(triggers).toMatchObject([
    {
      kind: "app",
      name: "New item",
      settings: {
        app: "api_warehouse",
        trigger: "new_item",
        connection: connection.id,
        input: { shelf: "2", color: "red" },
      },
    },
  ]);
});

test("an agent gets the actions of an app, each with a permission", async () => {
  const user = await visit.register("app-agent");
  const { connection } = (await user.post("/api/connections", connected)).body;
  const { agent } = (await user.post("/api/agents", { name: "Keeper" })).body;
  const page = await visit.open(`/agents/${agent.id}`, { user });
  await page.getByRole("button", { name: "Add", exact: true }).click();
  const tools = page.getByRole("dialog", { name: "Add a tool" });
  await tools.getByRole("option", { name: "Main house" }).click();
  const permission = page.getByRole("list", { name: "Actions of Main house" }).getByLabel("Store a box");
  expect(await permission.inputValue()).toBe("ask");
  await permission.selectOption("Never");
  await checkScreen(page, "agent-app-tools");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect
    .poll(async () => (await user.get(`/api/agents/${agent.id}`)).body.agent.tools.apps)
    .toEqual([{ app: "api_warehouse", connection: connection.id, permissions: { store_box: "never" } }]);
});
