import { beforeAll, expect, test } from "vitest";
import type { RegisteredUser } from "../support/test-app.ts";
import { sendJson, startVendor, type Vendor } from "../support/vendor.ts";
import { createTeamWorkspace } from "../support/workspaces.ts";
import { createGraph, openStep } from "./support/builder.ts";
import { checkScreen, findingsInOtherTheme, savedGraph, useVisits, waitForSave } from "./support/visit.ts";

const visit = useVisits();
let administrator: RegisteredUser;
beforeAll(async () => {
  // The oldest account.
  administrator = await visit.register("administrator");
});

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
  await dialog.getByLabel("Name", { exact: true }).fill("Warehouse");
  await dialog.getByLabel("Header or parameter").fill("X-Api-Key");
  await dialog.getByLabel("API key").fill("wrong-key");
  await dialog.getByLabel("Test URL").fill(`${service.url}/stock`);
  await dialog.getByLabel("Hosts").fill(service.host);
  // The test comes first: nothing is saved that does not work, unless the user insists.
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.getByRole("button", { name: "Save anyway" }).waitFor();
  await dialog.getByText("refused the credential. Check it and test again.").waitFor();
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

test("a connection that is saved although its test failed needs attention", async () => {
  const service = await keyService();
  const user = await visit.register("saves-anyway");
  const page = await visit.open("/connections", { user });
  await page.getByRole("button", { name: "New connection" }).click();
  await page.getByRole("combobox", { name: "Search apps and kinds" }).fill("api key");
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "API key" });
  await dialog.getByLabel("Header or parameter").fill("X-Api-Key");
  await dialog.getByLabel("API key").fill("wrong-key");
  await dialog.getByLabel("Test URL").fill(`${service.url}/stock`);
  await dialog.getByRole("button", { name: "Test", exact: true }).click();
  await dialog.getByRole("button", { name: "Save anyway" }).click();
  const panel = page.getByRole("complementary", { name: "API key" });
  await panel.getByText("Not working").waitFor();
  await page.getByText("Needs attention 1").waitFor();
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

/** An authorization server that accepts every sign-in at once; its access tokens can be revoked. */
async function signInService(): Promise<Vendor & { revoke: () => void }> {
  let generation = 1;
  const vendor = await startVendor((request, response) => {
    const url = new URL(request.url ?? "/", "http://vendor");
    if (url.pathname === "/authorize") {
      const back = new URL(url.searchParams.get("redirect_uri") ?? "");
      back.searchParams.set("code", "code-1");
      back.searchParams.set("state", url.searchParams.get("state") ?? "");
      response.writeHead(302, { location: back.href }).end();
    } else if (url.pathname === "/token") {
      const parts: string[] = [];
      request.on("data", (part: Buffer) => parts.push(String(part)));
      request.on("end", () => {
        // A revoked access cannot be renewed: only a new sign-in helps.
        if (parts.join("").includes("grant_type=refresh_token"))
          sendJson(response, 400, { error: "invalid_grant" });
        else
          sendJson(response, 200, {
            access_token: `access-${generation}`,
            refresh_token: "refresh-1",
            token_type: "bearer",
            expires_in: 3600,
          });
      });
    } else
      sendJson(response, request.headers.authorization === `Bearer access-${generation}` ? 200 : 401, {});
  });
  return { ...vendor, revoke: () => (generation += 1) };
}

test("a sign-in opens a window and returns; when the window is blocked, a link does the same", async () => {
  const service = await signInService();
  const user = await visit.register("signs-in");
  const page = await visit.open("/connections", { user });
  await page.getByRole("button", { name: "New connection" }).click();
  const search = page.getByRole("combobox", { name: "Search apps and kinds" });
  await search.fill("oauth");
  await search.press("Enter");
  const dialog = page.getByRole("dialog", { name: "OAuth 2.0" });
  await dialog.getByLabel("Name").fill("Team calendar");
  await dialog.getByLabel("Authorization URL").fill(`${service.url}/authorize`);
  await dialog.getByLabel("Token URL").fill(`${service.url}/token`);
  await dialog.getByLabel("Client ID").fill("client");
  await dialog.getByLabel("Client secret").fill("client-secret");
  await dialog.getByLabel("Test URL").fill(`${service.url}/me`);
  await dialog.getByLabel("Hosts").fill(service.host);
  await dialog.getByText(`${visit.base}/connections/callback`).waitFor();
  await checkScreen(page, "new-oauth-connection");
  const opened = page.context().waitForEvent("page");
  await dialog.getByRole("button", { name: "Connect" }).click();
  // The window signs in and closes itself; this page goes on.
  const popup = await opened;
  if (!popup.isClosed()) await popup.waitForEvent("close");
  const panel = page.getByRole("complementary", { name: "Team calendar" });
  await panel.getByText("Connected").waitFor();
  expect(service.requests.filter(({ url }) => url.startsWith("/token"))).toHaveLength(1);

  service.revoke();
  await panel.getByRole("button", { name: "Test" }).click();
  await panel.getByText("Not working").waitFor();
  await page.evaluate("window.open = () => null");
  await panel.getByRole("button", { name: "Reconnect" }).click();
  const link = panel.getByRole("link", { name: "Open the sign-in page" });
  await link.waitFor();
  await checkScreen(page, "sign-in-blocked");
  const [tab] = await Promise.all([page.context().waitForEvent("page"), link.click()]);
  await tab.getByText("“Team calendar” is connected.").waitFor();
  // The code is not kept in the history.
  expect(new URL(tab.url()).search).toBe("");
  await panel.getByText("Connected").waitFor();
  expect(await page.content()).not.toMatch(/access-\d|client-secret/);
});

test("a sign-in that is refused or given up leaves no connection, and the person is told", async () => {
  const service = await startVendor((request, response) => {
    const url = new URL(request.url ?? "/", "http://vendor");
    if (url.pathname === "/slow") return void response.end("Sign in");
    const back = new URL(url.searchParams.get("redirect_uri") ?? "");
    back.search = `error=access_denied&state=${url.searchParams.get("state")}`;
    response.writeHead(302, { location: back.href }).end();
  });
  const user = await visit.register("refuses");
  const connectionNames = async (): Promise<string[]> =>
    (await user.get("/api/connections")).body.connections.map(({ name }: { name: string }) => name);
  const page = await visit.open("/connections", { user });
  await page.getByRole("button", { name: "New connection" }).click();
  const search = page.getByRole("combobox", { name: "Search apps and kinds" });
  await search.fill("oauth");
  await search.press("Enter");
  const dialog = page.getByRole("dialog", { name: "OAuth 2.0" });
  await dialog.getByLabel("Name").fill("Half");
  await dialog.getByLabel("Authorization URL").fill(`${service.url}/authorize`);
  await dialog.getByLabel("Token URL").fill(`${service.url}/token`);
  await dialog.getByLabel("Client ID").fill("client");
  await dialog.getByLabel("Client secret").fill("client-secret");
  await dialog.getByLabel("Hosts").fill(service.host);
  await dialog.getByRole("button", { name: "Connect" }).click();
  await dialog.getByText("access_denied").waitFor();
  await page.getByText("“Half” was not created, because its sign-in did not finish.").waitFor();
  expect(await connectionNames()).toEqual([]);

  // The window of the sign-in stays open, and the person closes the form.
  await dialog.getByLabel("Authorization URL").fill(`${service.url}/slow`);
  await dialog.getByRole("button", { name: "Connect" }).click();
  await dialog.getByText("Sign in in the other window.").waitFor();
  expect(await connectionNames()).toEqual(["Half"]);
  await dialog.getByRole("button", { name: "Close" }).click();
  await dialog.getByRole("button", { name: "Discard" }).click();
  await expect.poll(connectionNames).toEqual([]);
});

test("a forged return is refused, and the page that waits is not told that it is connected", async () => {
  const user = await visit.register("forged");
  const page = await visit.open("/connections/callback?state=forged&code=stolen", { user });
  await page.getByRole("alert").waitFor();
  expect(new URL(page.url()).search).toBe("");
  await checkScreen(page, "connection-callback");
  await page.getByRole("link", { name: "Open connections" }).click();
  await page.getByText("No connections yet").waitFor();
});

test("an app without an OAuth client shows the fields for an own one, with the redirect address", async () => {
  const page = await visit.open("/connections", { user: await visit.register("first-of-notion") });
  const connect = async () => {
    await page.getByRole("button", { name: "New connection" }).click();
    const search = page.getByRole("combobox", { name: "Search apps and kinds" });
    await search.fill("notion");
    await search.press("Enter");
    const dialog = page.getByRole("dialog", { name: "Connect Notion" });
    await dialog.getByLabel("Access").selectOption("Sign in (OAuth)");
    return dialog;
  };
  const dialog = await connect();
  await dialog.getByText("This instance has no OAuth client for Notion.").waitFor();
  await dialog.getByLabel("Client ID").waitFor();
  await dialog.getByText(`${visit.base}/connections/callback`).waitFor();
  await checkScreen(page, "connect-own-client");
  await page.keyboard.press("Escape");

  const client = { clientId: "id", clientSecret: "very-secret" };
  expect((await administrator.put("/api/oauth-clients/notion", client)).status).toBe(200);
  await page.reload();
  await (await connect()).getByText("Client of your own").waitFor();
  expect(await dialog.getByLabel("Client ID").isVisible()).toBe(false);
});

test("the administrator enters the OAuth client of an app with the exact redirect address", async () => {
  const page = await visit.open("/connections/oauth-clients", { user: administrator });
  await page.getByRole("button", { name: "Set up Slack" }).click();
  const dialog = page.getByRole("dialog", { name: "OAuth client of Slack" });
  await dialog.getByText(`${visit.base}/connections/callback`).waitFor();
  await dialog.getByText("chat:write").waitFor();
  await dialog.getByRole("button", { name: "Copy redirect address" }).click();
  expect(await page.evaluate("navigator.clipboard.readText()")).toBe(`${visit.base}/connections/callback`);
  await dialog.getByLabel("Client ID").fill("id-of-client");
  await dialog.getByLabel("Client secret").fill("very-secret");
  await checkScreen(page, "oauth-client");
  await dialog.getByRole("button", { name: "Save" }).click();
  // The test of another app may have left a client of its own.
  await page.getByRole("row", { name: "Slack" }).getByText("Ready").waitFor();
  await checkScreen(page, "oauth-clients");
  expect(await page.content()).not.toContain("very-secret");

  // In the administration too, whatever role the person has in the workspace that the page shows.
  const team = await createTeamWorkspace(await visit.register("team-owner"), [[administrator, "viewer"]]);
  await page.evaluate(`localStorage.setItem("baton.workspace", ${JSON.stringify(team)})`);
  await page.goto(`${visit.base}/administration`);
  await page.getByRole("navigation", { name: "Administration" }).getByText("OAuth clients").click();
  await page.getByRole("button", { name: "Change Slack" }).click();
  const again = page.getByRole("dialog", { name: "OAuth client of Slack" });
  await again.getByLabel("Client ID").fill("another-id");
  await again.getByLabel("Client secret").fill("very-secret");
  await again.getByRole("button", { name: "Save" }).click();
  await page.getByText("another-id").waitFor();
  await checkScreen(page, "administration-oauth-clients");
  await page.evaluate(`localStorage.removeItem("baton.workspace")`);

  const other = await visit.open("/connections/oauth-clients", { user: await visit.register("not-admin") });
  await other.getByText("Only administrators of this instance").waitFor();
  expect(await other.getByRole("button", { name: /Set up|Change/ }).count()).toBe(0);
});

test("a run waits for the repair of its connection, says so, and goes on once it is mended in place", async () => {
  const service = await keyService();
  const user = await visit.register("waits-for-repair");
  const { connection } = (
    await user.post("/api/connections", {
      kind: "api_key",
      name: "Stock key",
      hosts: [service.host],
      settings: { in: "header", name: "X-Api-Key", testUrl: `${service.url}/stock` },
      secrets: { key: "wrong-key" },
    })
  ).body;
  const steps = [{ stepId: "get", type: "http", url: `${service.url}/stock`, connection: connection.id }];
  const id = await createGraph(user, { steps, edges: [] }, "Patient");
  const page = await visit.open(`/workflows/${id}`, { user });
  await page.getByRole("button", { name: "Workflow menu" }).click();
  await page.getByRole("menuitem", { name: "Run settings" }).click();
  const settings = page.getByRole("dialog", { name: "Run settings" });
  await settings.getByLabel("When a connection stops working").selectOption("Wait for the repair");
  await checkScreen(page, "run-settings-connection");
  await settings.getByRole("button", { name: "Save" }).click();
  await settings.waitFor({ state: "detached" });

  const { taskId } = (await user.post(`/api/workflows/${id}/run`, { input: {} })).body;
  await page.goto(`${visit.base}/runs/${taskId}?step=get`);
  await page.getByText("Waits for its connection").waitFor();
  await page.getByText("The step goes on as soon as the connection works again.").waitFor();
  await checkScreen(page, "run-waits-for-connection");
  await page.getByRole("button", { name: "Replace secret" }).click();
  await page.getByRole("dialog").getByLabel("API key").fill("right-key");
  await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
  await page.locator(".tl-row[data-step=get][data-status=completed]").waitFor();

  // A run that does not wait: from the failure on Home to the rerun of the failed step.
  service.accept("newer-key");
  const failing = await createGraph(user, { steps, edges: [] }, "Impatient");
  await user.post(`/api/workflows/${failing}/run?wait=true`, { input: {} });
  await page.goto(visit.base);
  await page.getByRole("link", { name: "Fix connection" }).click();
  await page.getByRole("button", { name: "Replace secret" }).click();
  const secret = page.getByRole("dialog").getByLabel("API key");
  expect(await secret.evaluate((input: any) => input === input.ownerDocument.activeElement)).toBe(true);
  await secret.fill("newer-key");
  await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
  await page.getByText("“Stock key” works now.").waitFor();
  await checkScreen(page, "run-connection-fixed");
  await page.getByRole("button", { name: "Rerun failed step" }).click();
  await page.getByRole("button", { name: "Rerun with v1" }).click();
  await page.locator(".tl-row[data-step=get][data-status=completed]").waitFor();
});

test("the list counts uses, a problem is shown once, and a trigger and its connection lead to each other", async () => {
  const service = await keyService();
  const user = await visit.register("counts-uses");
  const { connection } = (
    await user.post("/api/connections", {
      kind: "imap",
      name: "Support inbox",
      settings: { host: "127.0.0.1", port: 9, security: "none", user: "ada" },
      secrets: { password: "secret" },
    })
  ).body;
  await user.post("/api/connections", {
    kind: "api_key",
    name: "Warehouse",
    hosts: [service.host],
    settings: { in: "header", name: "X-Api-Key", testUrl: `${service.url}/stock` },
    secrets: { key: "wrong-key" },
  });
  const workflowId = await createGraph(user, { steps: [], edges: [] }, "Triage");
  const created = await user.post("/api/triggers", {
    kind: "email",
    name: "Inbox",
    workflowId,
    settings: { connection: connection.id },
  });
  expect(created.status).toBe(201);
  const page = await visit.open("/connections", { user });
  await page
    .getByRole("row", { name: /Support inbox/ })
    .getByRole("cell", { name: "1", exact: true })
    .waitFor();
  await page.getByRole("button", { name: "Warehouse" }).click();
  const warehouse = page.getByRole("complementary", { name: "Warehouse" });
  await warehouse.getByRole("button", { name: "Test" }).click();
  await warehouse.getByText("Not working").waitFor();
  const { connections } = (await user.get("/api/connections")).body;
  const { message } = connections.find(({ name }: { name: string }) => name === "Warehouse").problem;
  await warehouse.getByText(message).waitFor();
  expect(await warehouse.getByText(message).count()).toBe(1);
  await checkScreen(page, "connection-used");
  expect(await findingsInOtherTheme(page)).toEqual([]);
  await page.getByRole("button", { name: "Support inbox" }).click();
  const panel = page.getByRole("complementary", { name: "Support inbox" });
  await panel.getByRole("link", { name: "Inbox" }).click();
  const opened = page.locator(".trigger-panel");
  await opened.getByRole("heading", { name: "Inbox" }).waitFor();
  await opened.getByRole("link", { name: "Open connection" }).click();
  await panel.waitFor();
});

test("the fields of an app's connection are changed, and its secret is asked for when it goes elsewhere", async () => {
  const user = await visit.register("changes-site");
  const { connection } = (
    await user.post("/api/connections", {
      kind: "basic",
      app: "wordpress",
      name: "Blog",
      fields: { site: "blog.example.com" },
      settings: { username: "ada" },
      secrets: { password: "secret" },
    })
  ).body;
  const page = await visit.open(`/connections/${connection.id}`, { user });
  const panel = page.getByRole("complementary", { name: "Blog" });
  await panel.getByRole("button", { name: "Replace secret" }).click();
  const dialog = page.getByRole("dialog", { name: "Change Blog" });
  const site = dialog.getByRole("textbox").first();
  await expect.poll(() => site.inputValue()).toBe("blog.example.com");
  await site.fill("news.example.com");
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.getByRole("alert").waitFor();
  expect(await dialog.getByRole("alert").count()).toBe(1);
  await dialog.locator("input[type=password]").fill("newer");
  await checkScreen(page, "connection-fields");
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.waitFor({ state: "detached" });
  await expect
    .poll(async () => (await user.get(`/api/connections/${connection.id}`)).body.connection.fields.site)
    .toBe("news.example.com");
});

test("a closed sign-in window is noticed, and the sign-in is repeated", async () => {
  const service = await signInService();
  // A sign-in page that waits for the person.
  const waiting = await startVendor((_request, response) => response.end("Sign in"));
  const user = await visit.register("closes-window");
  const { connection } = (
    await user.post("/api/connections", {
      kind: "oauth2",
      name: "Calendar",
      hosts: [service.host],
      settings: {
        authorizationUrl: `${waiting.url}/authorize`,
        tokenUrl: `${service.url}/token`,
        clientId: "client",
      },
      secrets: { clientSecret: "client-secret" },
    })
  ).body;
  const page = await visit.open(`/connections/${connection.id}`, { user });
  const panel = page.getByRole("complementary", { name: "Calendar" });
  const [popup] = await Promise.all([
    page.context().waitForEvent("page"),
    panel.getByRole("button", { name: "Connect" }).click(),
  ]);
  await popup.getByText("Sign in").waitFor();
  await panel.getByText("Sign in in the other window.").waitFor();
  await popup.close();
  // A headless browser gives the focus back to no window.
  await page.evaluate("window.dispatchEvent(new Event('focus'))");
  await panel.getByText("The sign-in is not finished.").waitFor();
  await checkScreen(page, "sign-in-left");
  await user.patch(`/api/connections/${connection.id}`, {
    settings: { authorizationUrl: `${service.url}/authorize` },
    secrets: { clientSecret: "client-secret" },
  });
  await panel.getByRole("button", { name: "Sign in again" }).click();
  await panel.getByText("Connected").waitFor();
});
