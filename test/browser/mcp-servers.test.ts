import { expect, test } from "vitest";
import { listen, mcpHandler } from "../../server/mcp-client/testing/http-servers.ts";
import { startOauthServer } from "../../server/mcp-client/testing/oauth-server.ts";
import { fillValue, openStep, valueField } from "./support/builder.ts";
import { checkScreen, savedGraph, saveToken, useVisits, waitForSave } from "./support/visit.ts";

const visit = useVisits();

test("a server is added, connected by signing in, and tested; its secrets are not shown", async () => {
  const oauth = await startOauthServer();
  // The sign-in is a page of another server, which a page of `visit.open` may not call.
  const page = await visit.newPage();
  await page.goto(visit.base);
  await saveToken(page, (await visit.register("connector")).token);
  await page.goto(`${visit.base}/settings/mcp-servers`);
  await page.getByRole("button", { name: "Add MCP server" }).first().click();
  await page.getByLabel("Name").fill("Weather");
  await page.getByLabel("Address").fill(oauth.url);
  await page.getByLabel("Authentication").selectOption("oauth");
  await checkScreen(page, "mcp-server-dialog");
  await page.getByRole("button", { name: "Add server" }).click();
  await page.getByText("Not connected").waitFor();
  await page.getByRole("button", { name: "Connect Weather" }).click();
  // The sign-in accepts at once and returns to the page.
  await page.getByText("Connected", { exact: true }).waitFor();
  expect(new URL(page.url()).search).toBe("");
  await page.getByRole("button", { name: "Test Weather" }).click();
  await page.getByText("6 tools, version 2026-07-28").waitFor();
  await checkScreen(page, "mcp-servers");
  expect(await page.content()).not.toMatch(/access-1|refresh-1/);
  await page.getByRole("button", { name: "Weather", exact: true }).click();
  await page.getByText("The weather of the next days").waitFor();
  await checkScreen(page, "mcp-tools-dialog");
});

test("a server uses a connection, which is made in its form", async () => {
  const user = await visit.register("connector-of-servers");
  const { url } = await listen((request, response) =>
    request.headers.authorization === "Bearer right-token"
      ? mcpHandler(request, response)
      : response.writeHead(401).end(),
  );
  const page = await visit.open("/settings/mcp-servers", { user });
  await page.getByRole("button", { name: "Add MCP server" }).first().click();
  await page.getByLabel("Name").fill("Weather");
  await page.getByLabel("Address").fill(url);
  await page.getByLabel("Authentication").selectOption("connection");
  expect(await page.getByRole("button", { name: "Add server" }).isDisabled()).toBe(true);
  await page.getByRole("button", { name: "Connect", exact: true }).click();
  const search = page.getByRole("combobox", { name: "Search apps and kinds" });
  await search.fill("bearer");
  await search.press("Enter");
  const dialog = page.getByRole("dialog", { name: /bearer/i });
  await dialog.getByLabel("Name", { exact: true }).fill("Weather account");
  await dialog.getByLabel("Hosts").fill(new URL(url).host);
  await dialog.getByLabel("Token", { exact: true }).fill("right-token");
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.waitFor({ state: "detached" });
  expect(await page.getByRole("button", { name: "Add server" }).isEnabled()).toBe(true);
  await checkScreen(page, "mcp-server-connection");
  await page.getByRole("button", { name: "Add server" }).click();
  await page.getByText("Weather account").waitFor();
  await page.getByRole("button", { name: "Test Weather" }).click();
  await page.getByText("6 tools, version 2026-07-28").waitFor();
});

test("the step form offers the server's tools, and a form from the schema of the chosen one", async () => {
  const user = await visit.register("builder-of-tools");
  const { url } = await listen(mcpHandler);
  const { server } = (await user.post("/api/mcp-servers", { name: "Weather", url })).body;
  const steps = [{ stepId: "call", type: "mcp", server: server.id, tool: "as-text" }];
  const { workflow } = (await user.post("/api/workflows", { name: "Calls", metadata: { steps, edges: [] } }))
    .body;
  const page = await visit.open(`/workflows/${workflow.id}`, { user });
  await openStep(page, "call");
  await page.getByRole("combobox", { name: "Tool", exact: true }).selectOption("forecast");
  await page.getByText("The weather of the next days").waitFor();
  await fillValue(valueField(page, "city"), "Oslo");
  await waitForSave(page);
  expect((await savedGraph(user, workflow.id)).steps[0]).toMatchObject({
    server: server.id,
    tool: "forecast",
    arguments: { city: "Oslo" },
  });
  await checkScreen(page, "mcp-step");
});
