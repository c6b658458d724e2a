import { afterAll, expect, test } from "vitest";
import { startStubModelServer } from "../support/stub-model-server.ts";
import { seriousFindings, useVisits } from "./support/visit.ts";

const model = await startStubModelServer();
afterAll(() => model.close());
const visit = useVisits();

test("an agent with a connection to a model answers in a service without one, and a team says which agents have none", async () => {
  const user = await visit.register("owner");
  const { connection } = (
    await user.post("/api/connections", {
      kind: "bearer",
      name: "My model",
      hosts: [new URL(model.baseUrl).host],
      secrets: { token: "t" },
    })
  ).body;
  const { agent } = (await user.post("/api/agents", { name: "Assistant" })).body;
  const { team } = (await user.post("/api/agent-teams", { name: "Squad", agents: [agent.id] })).body;
  const page = await visit.open(`/teams/${team.id}`, { user });
  const warning = page.getByText("No language model is configured for Assistant.");
  await warning.waitFor();
  expect(await seriousFindings(page)).toEqual([]);
  await page.getByRole("note").getByRole("link", { name: "Assistant" }).click();
  await page.getByText("No language model is configured.").waitFor();
  await user.patch(`/api/agents/${agent.id}`, {
    connection: connection.id,
    provider: "openai-compatible",
    model: "small",
    baseUrl: model.baseUrl,
  });
  await page.reload();
  model.answerWith("Ahoy.");
  await page.getByLabel("Message").fill("Hello");
  await page.getByRole("button", { name: "Send" }).click();
  await page.getByRole("log").getByText("Ahoy.").waitFor();
  await page.goto(`${visit.base}/teams/${team.id}`);
  await page.getByRole("heading", { name: "Members" }).waitFor();
  await page.waitForLoadState("networkidle");
  expect(await warning.count()).toBe(0);
});

test("a model is connected by its name, and the agent calls the provider of the connection", async () => {
  const user = await visit.register("names-a-model");
  const { agent } = (await user.post("/api/agents", { name: "Writer" })).body;
  const page = await visit.open(`/agents/${agent.id}`, { user });
  await page.getByRole("button", { name: "Connect", exact: true }).click();
  const search = page.getByRole("combobox", { name: "Search apps and kinds" });
  await search.waitFor();
  // Apps have no models.
  await expect
    .poll(() => page.getByRole("dialog").getByRole("option").first().textContent())
    .toContain("OpenAI");
  await search.fill("claude");
  await search.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Anthropic" });
  expect(await dialog.getByLabel("Header or parameter").inputValue()).toBe("x-api-key");
  expect(await dialog.getByLabel("Hosts").inputValue()).toBe("api.anthropic.com");
  await dialog.getByLabel("API key").fill("seeded");
  await dialog.getByRole("button", { name: "Save" }).click();
  const provider = page.getByLabel("Provider");
  await expect.poll(() => provider.inputValue()).toBe("anthropic");

  await page.getByRole("button", { name: "Connect", exact: true }).click();
  await search.fill("ollama");
  await search.press("Enter");
  const own = page.getByRole("dialog", { name: "OpenAI-compatible server" });
  await own.getByLabel("Token").fill("t");
  await own.getByLabel("Hosts").fill(new URL(model.baseUrl).host);
  await own.getByRole("button", { name: "Save" }).click();
  await expect.poll(() => provider.inputValue()).toBe("openai-compatible");

  // The address of one server is not used with the credential of another.
  const serverAddress = page.getByLabel("Server address");
  await serverAddress.fill(model.baseUrl);
  await page.getByLabel("Connection", { exact: true }).selectOption({ label: "Anthropic" });
  await expect.poll(() => provider.inputValue()).toBe("anthropic");
  expect(await serverAddress.inputValue()).toBe("");

  // On a phone the names are not cut.
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`${visit.base}/connections`);
  await page.getByRole("button", { name: "New connection" }).click();
  const names = page.getByRole("option").locator("b");
  await names.getByText("OpenAI-compatible server").waitFor();
  const cut =
    "[...document.querySelectorAll('[role=option] b')].filter((b) => b.scrollWidth > b.clientWidth).length";
  expect(await page.evaluate(cut)).toBe(0);
});
