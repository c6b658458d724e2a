import { expect, test } from "vitest";
import { startTokenVendor } from "../support/token-vendor.ts";
import { sendJson, startVendor } from "../support/vendor.ts";
import { createGraph, fillValue, stepNode, twoSteps, valueField } from "./support/builder.ts";
import { checkScreen, findingsInOtherTheme, savedGraph, useVisits, waitForSave } from "./support/visit.ts";

const visit = useVisits();

/** A service with an OpenAPI document, which can be changed. */
async function shopService() {
  let extra: object = {};
  const body = {
    required: true,
    content: {
      "application/json": {
        schema: {
          type: "object",
          required: ["name"],
          properties: { name: { type: "string", title: "Item name" }, price: { type: "number" } },
        },
      },
    },
  };
  const documentOf = (url: string) => ({
    openapi: "3.1.0",
    info: { title: "Corner shop", description: "Sells things around the corner." },
    servers: [{ url: `${url}/v1` }],
    components: { securitySchemes: { key: { type: "apiKey", in: "header", name: "X-Api-Key" } } },
    security: [{ key: [] }],
    paths: {
      "/items": {
        get: { operationId: "listItems", summary: "List items" },
        post: { operationId: "createItem", summary: "Create an item", requestBody: body },
      },
      "/items/{id}": {
        delete: {
          operationId: "deleteItem",
          summary: "Delete an item",
          parameters: [{ name: "id", in: "path", required: true, schema: { type: "string" } }],
        },
      },
      ...extra,
    },
  });
  const vendor = await startVendor((request, response) => {
    if (request.url === "/openapi.json")
      return sendJson(response, 200, documentOf(`http://${request.headers.host}`));
    if (request.headers["x-api-key"] !== "right-key") return sendJson(response, 401, {});
    sendJson(response, 200, { id: "item_77", by: request.method });
  });
  return { ...vendor, change: (paths: object) => (extra = paths) };
}

test("an API is added by its document, connected, used in a workflow, refreshed and deleted", async () => {
  const shop = await shopService();
  const user = await visit.register("api-owner");
  const page = await visit.open("/connections/apis", { user });
  await page.getByText("No APIs yet").waitFor();
  await checkScreen(page, "apis-empty");
  await page.getByRole("button", { name: "Add an API" }).click();
  const adding = page.getByRole("dialog", { name: "Add an API" });
  // A document without a server: its address is asked for.
  await adding.getByText("File or text").click();
  await adding.getByLabel("Or paste it").fill("openapi: 3.0.0\npaths: {/a: {get: {}}}");
  await adding.getByRole("button", { name: "Add" }).click();
  await adding.getByRole("alert").getByText("it names no server").waitFor();
  await adding.getByLabel("Server").waitFor();
  await checkScreen(page, "add-api");
  await adding.getByText("URL", { exact: true }).click();
  await adding.getByLabel("URL of the document").fill(`${shop.url}/openapi.json`);
  await adding.getByRole("button", { name: "Add" }).click();

  const panel = page.getByRole("complementary", { name: "Corner shop" });
  await panel.getByText("3 of 3 actions shown").waitFor();
  await panel.getByLabel("Search operations").fill("delete");
  expect(await panel.getByRole("checkbox").count()).toBe(1);
  await panel.getByRole("checkbox", { name: /Delete an item/ }).uncheck();
  await panel.getByText("2 of 3 actions shown").waitFor();
  await panel.getByLabel("Search operations").fill("");
  await panel.getByRole("button", { name: "Connect" }).click();
  const connecting = page.getByRole("dialog", { name: "Connect Corner shop" });
  await connecting.getByLabel("API key").fill("right-key");
  await connecting.getByRole("button", { name: "Save" }).click();
  await connecting.waitFor({ state: "detached" });
  await panel.getByText("Connected").waitFor();
  await checkScreen(page, "apis");
  expect(await findingsInOtherTheme(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await panel.waitFor({ state: "detached" });
  const [connection] = (await user.get("/api/connections")).body.connections;
  expect(connection).toMatchObject({ status: "connected", hosts: [shop.host] });

  const workflow = await createGraph(user, twoSteps, "Restock");
  await page.goto(new URL(`/workflows/${workflow}`, page.url()).href);
  await stepNode(page, "greet").click();
  await page.keyboard.press("/");
  const search = page.getByRole("combobox", { name: "Search steps" });
  await search.fill("an item");
  const actions = page.getByRole("listbox", { name: "Actions of Corner shop" });
  await actions.getByRole("option", { name: "Create an item" }).click();
  await waitForSave(page);
  await fillValue(valueField(page, "Item name"), "Cup");
  await waitForSave(page);
  const { steps } = await savedGraph(user, workflow);
  expect(steps.at(-1)).toMatchObject({
    type: "app",
    app: connection.app,
    action: "create_item",
    connection: connection.id,
    input: { name: "Cup" },
  });
  await page.getByRole("button", { name: "Test", exact: true }).click();
  await page.getByText("item_77").first().waitFor();
  expect(shop.requests.at(-1)).toMatchObject({ method: "POST", url: "/v1/items" });

  shop.change({ "/items": {}, "/orders": { get: { operationId: "listOrders", summary: "List orders" } } });
  await page.goto(new URL(`/connections/apis/${connection.app}`, page.url()).href);
  await panel.getByRole("button", { name: "Refresh" }).click();
  const refreshing = page.getByRole("dialog", { name: "Refresh Corner shop" });
  await refreshing.getByText("Removed 2").waitFor();
  await refreshing.getByText("Added 1").waitFor();
  await refreshing.getByRole("link", { name: "Restock" }).waitFor();
  await checkScreen(page, "refresh-api");
  await refreshing.getByRole("button", { name: "Apply changes" }).click();
  await panel.getByText("1 of 2 actions shown").waitFor();

  await panel.getByRole("button", { name: "Delete" }).click();
  const question = page.getByRole("dialog", { name: "Delete “Corner shop”?" });
  await question.getByRole("button", { name: "Delete" }).click();
  await question.getByRole("link", { name: "Restock" }).waitFor();
  await question.getByRole("button", { name: "Delete" }).click();
  await page.getByText("No APIs yet").waitFor();
  expect((await user.get("/api/connections")).body.connections).toEqual([]);
});

test("client credentials of a document are entered, tested and saved without a sign-in", async () => {
  let form = new URLSearchParams();
  const orders = await startTokenVendor((_request, response) => sendJson(response, 200, []));
  const flow = { tokenUrl: "/token", scopes: { read: "Read", write: "Write" } };
  const document = {
    openapi: "3.1.0",
    info: { title: "Orders" },
    servers: [{ url: orders.url }],
    components: {
      securitySchemes: {
        oauth: {
          type: "oauth2",
          flows: { authorizationCode: { ...flow, authorizationUrl: "/auth" }, clientCredentials: flow },
        },
      },
    },
    security: [{ oauth: [] }],
    paths: { "/orders": { get: { operationId: "listOrders" } } },
  };
  orders.onToken((given) => void (form = given));
  const user = await visit.register("api-client");
  const { app } = (await user.post("/api/apps/import", { document: JSON.stringify(document) })).body;
  const page = await visit.open(`/connections/apis/${app.id}`, { user });
  await page.getByRole("button", { name: "Connect" }).click();
  const dialog = page.getByRole("dialog", { name: "Connect Orders" });
  await dialog.getByLabel("Access").selectOption("Client credentials (OAuth)");
  await dialog.getByLabel("Client ID").fill("baton");
  await dialog.getByLabel("Client secret", { exact: true }).fill("hush-client-secret");
  await dialog.getByLabel("Scopes").fill("read");
  await dialog.getByLabel("Client secret is sent in").selectOption("Body");
  await checkScreen(page, "client-credentials");
  expect(await findingsInOtherTheme(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.waitFor({ state: "detached" });
  await page.getByText("Connected").first().waitFor();
  expect(Object.fromEntries(form)).toEqual({
    grant_type: "client_credentials",
    scope: "read",
    client_id: "baton",
    client_secret: "hush-client-secret",
  });
  const [connection] = (await user.get("/api/connections")).body.connections;
  expect(connection).toMatchObject({ status: "connected", settings: { grant: "client_credentials" } });

  // Later changes have the same fields.
  await page.goto(new URL(`/connections/${connection.id}`, page.url()).href);
  await page.getByRole("button", { name: "Replace secret" }).click();
  const changing = page.getByRole("dialog", { name: "Change Orders" });
  expect(await changing.getByLabel("Scopes").inputValue()).toBe("read");
  expect(await changing.getByLabel("Client secret is sent in").inputValue()).toBe("body");
});
