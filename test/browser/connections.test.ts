import { expect, test } from "vitest";
import { sendJson, startVendor, type Vendor } from "../support/vendor.ts";
import { createGraph, openStep } from "./support/builder.ts";
import { checkScreen, findingsInOtherTheme, savedGraph, useVisits, waitForSave } from "./support/visit.ts";

const visit = useVisits();

/** A service that accepts one key, which can be changed. */
async function keyService(): Promise<Vendor & { accept: (key: string) => void }> {
  let accepted = "right-key";
  const vendor = await startVendor((request, response) => {
    const isRight = request.headers["x-api-key"] === accepted;
    sendJson(response, isRight ? 200 : 401, isRight ? { stock: 12 } : { error: "unknown key" });
  });
  return { ...vendor, accept: (key) => (accepted = key) };
}

test("a connection is tested before it is saved, mended in its panel, and deleted with its uses in view", async () => {
  const service = await keyService();
  const user = await visit.register("connector-of-keys");
  const page = await visit.open("/connections", { user });
  await page.getByText("No connections yet").waitFor();
  await checkScreen(page, "connections-empty");
  await page.getByRole("button", { name: "New connection" }).click();
  const search = page.getByRole("combobox", { name: "Search apps and kinds" });
  await search.fill("api key");
  await search.press("Enter");
  const dialog = page.getByRole("dialog", { name: "API key" });
  await dialog.getByLabel("Name", { exact: true }).first().fill("Warehouse");
  await dialog.getByLabel("Name", { exact: true }).nth(1).fill("X-Api-Key");
  await dialog.getByLabel("API key").fill("wrong-key");
  await dialog.getByLabel("Test URL").fill(`${service.url}/stock`);
  await dialog.getByLabel("Hosts").fill(service.host);
  // The test comes first: nothing is saved that does not work, unless the user insists.
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.getByRole("button", { name: "Save anyway" }).waitFor();
  expect((await user.get("/api/connections")).body.connections).toEqual([]);
  await dialog.getByLabel("API key").fill("right-key");
  await dialog.getByRole("button", { name: "Test" }).click();
  await dialog.getByText("It works").waitFor();
  await checkScreen(page, "new-connection");
  await dialog.getByRole("button", { name: "Save" }).click();

  const panel = page.getByRole("complementary", { name: "Warehouse" });
  await panel.getByText("Connected").waitFor();
  expect(await page.content()).not.toContain("right-key");
  const { connections } = (await user.get("/api/connections")).body;
  expect(connections).toMatchObject([{ name: "Warehouse", status: "connected", hosts: [service.host] }]);

  const id = connections[0].id as string;
  const steps = [{ stepId: "get", type: "http", url: `${service.url}/stock`, connection: id }];
  await createGraph(user, { steps, edges: [] }, "Stock report");
  service.accept("newer-key");
  await panel.getByRole("button", { name: "Test" }).click();
  await panel.getByText("Not working").waitFor();
  await page.getByText("Needs attention 1").click();
  await page.getByRole("button", { name: "Warehouse", exact: true }).waitFor();
  await checkScreen(page, "connections");
  expect(await findingsInOtherTheme(page)).toEqual([]);
  await panel.getByRole("button", { name: "Replace secret" }).click();
  await page.getByRole("dialog").getByLabel("API key").fill("newer-key");
  await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
  await panel.getByText("Connected").waitFor();
  await page.getByText("All connections work.").waitFor();

  await panel.getByLabel("Name").fill("Stock");
  await panel.getByRole("button", { name: "Save" }).click();
  const renamed = page.getByRole("complementary", { name: "Stock" });
  await renamed.getByRole("link", { name: "Stock report" }).waitFor();
  await renamed.getByRole("button", { name: "Delete" }).click();
  const question = page.getByRole("dialog", { name: "Delete “Stock”?" });
  await question.getByRole("link", { name: "Stock report" }).waitFor();
  await checkScreen(page, "delete-connection");
  await question.getByRole("button", { name: "Delete" }).click();
  await page.getByText("No connections yet").waitFor();
  expect(new URL(page.url()).pathname).toBe("/connections");
});

test("a step makes its connection in place and gets the real answer; a refused credential is mended in the error", async () => {
  const service = await keyService();
  const user = await visit.register("connects-in-place");
  const id = await createGraph(user, {
    steps: [{ stepId: "get", type: "http", name: "Stock", url: `${service.url}/stock` }],
    edges: [],
  });
  const page = await visit.open(`/workflows/${id}`, { user });
  await openStep(page, "get");
  await page.getByRole("button", { name: "+ Connection" }).click();
  await page.getByRole("button", { name: "Connect", exact: true }).click();
  const search = page.getByRole("combobox", { name: "Search apps and kinds" });
  // A database cannot send a request.
  await search.fill("database");
  expect(
    await page
      .getByRole("dialog")
      .getByRole("option", { name: /Database/ })
      .count(),
  ).toBe(0);
  await search.fill("headers");
  await search.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Custom headers" });
  await dialog.getByLabel("Headers").fill("X-Api-Key: right-key");
  await dialog.getByLabel("Hosts").fill(service.host);
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.waitFor({ state: "detached" });
  const [connection] = (await user.get("/api/connections")).body.connections;
  const picker = page.getByRole("combobox", { name: "Connection" });
  await expect.poll(() => picker.inputValue()).toBe(connection.id);
  await waitForSave(page);
  expect((await savedGraph(user, id)).steps[0].connection).toBe(connection.id);
  await checkScreen(page, "step-connection");
  await page.getByRole("button", { name: "Test", exact: true }).click();
  await page.getByText("200 OK").waitFor();
  await page.getByText("stock").first().waitFor();

  service.accept("newer-key");
  await page.getByRole("button", { name: "Test", exact: true }).click();
  await page.getByText("connection_authorization_required").waitFor();
  await page.getByRole("button", { name: "Replace secret" }).first().click();
  await page.getByRole("dialog").getByLabel("Headers").fill("X-Api-Key: newer-key");
  await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Test", exact: true }).click();
  await page.getByText("200 OK").waitFor();
});
