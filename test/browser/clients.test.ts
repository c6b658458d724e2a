import { expect, test } from "vitest";
import { chain } from "../support/graphs.ts";
import { useVisits } from "./support/visit.ts";

const visit = useVisits();

test("a workflow is switched on and renamed for clients, used by one, and its call leads to the run", async () => {
  const user = await visit.register("clients");
  const { workflow } = (await user.post("/api/workflows", { name: "Daily news", metadata: chain("a") })).body;
  await user.post("/api/agent-teams", { name: "Desk" });
  const page = await visit.open("/clients", { user });

  // By keyboard.
  const chat = page.getByRole("switch", { name: "Chat for Daily news" });
  await chat.focus();
  await page.keyboard.press("Space");
  await page.getByText("daily-news").waitFor();
  expect(await page.getByRole("switch", { name: "A2A for Desk" }).count()).toBe(0);
  await page.getByText("Always", { exact: true }).waitFor();

  await page.getByRole("button", { name: "Edit name and description of Daily news" }).click();
  await page.getByLabel("Tool or model name").fill("News!");
  await page.getByText("Use 1–64 lower-case letters").waitFor();
  await page.getByLabel("Tool or model name").fill("news");
  await page.getByLabel("Description for clients").fill("Yesterday in five lines");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("news", { exact: true }).waitFor();
  const { exposure } = (await user.get(`/api/exposures/workflow/${workflow.id}`)).body;
  expect(exposure).toMatchObject({
    name: "news",
    chat: true,
    mcp: false,
    description: "Yesterday in five lines",
  });

  await page.getByRole("link", { name: "Connect a client" }).click();
  await page.getByText("Nothing is switched on for MCP yet.").waitFor();
  await page.getByText(`${visit.base}/mcp`).first().waitFor();
  await page.getByRole("tab", { name: "curl" }).click();
  await page.getByRole("button", { name: "Copy" }).last().click();
  const command = await page.evaluate<string>("navigator.clipboard.readText()");
  expect(command).toContain(`${visit.base}/v1/chat/completions`);
  expect(command).toContain('"model":"news"');

  await page.getByRole("link", { name: "Calls" }).click();
  await page.getByText("No calls yet").waitFor();
  const { rawKey } = (await user.post("/api/keys", { name: "My laptop", scopes: ["chat"] })).body;
  const answer = await user.call("/v1/chat/completions", {
    method: "POST",
    headers: { authorization: `Bearer ${rawKey}` },
    body: { model: "news", messages: [{ role: "user", content: "Hello" }] },
  });
  await page.getByText("My laptop").waitFor();
  await page.getByRole("link", { name: "Open run of news" }).click();
  await page.waitForURL(`**/runs/${answer.body.id}`);

  await page.goto(`${visit.base}/workflows/${workflow.id}`);
  await page.locator(".react-flow__node").first().waitFor();
  await page.getByRole("button", { name: "Daily news" }).first().click();
  await page.getByText("Available in Chat").waitFor();
});

test("a switch that the service refuses goes back and says why", async () => {
  const user = await visit.register("refused");
  const { workflow } = (await user.post("/api/workflows", { name: "Gone", metadata: chain("a") })).body;
  const page = await visit.open("/clients", { user });
  await page.getByRole("switch", { name: "MCP for Gone" }).waitFor();
  await user.call(`/api/workflows/${workflow.id}`, { method: "DELETE" });
  await page.getByRole("switch", { name: "MCP for Gone" }).click();
  await page.getByText(`There is no workflow "${workflow.id}".`).waitFor();
  await page.getByRole("switch", { name: "MCP for Gone" }).waitFor({ state: "detached" });
});
