import { afterAll, test } from "vitest";
import { startStubModelServer } from "../support/stub-model-server.ts";
import { useVisits } from "./support/visit.ts";

const model = await startStubModelServer();
afterAll(() => model.close());
const visit = useVisits();

test("an agent with a connection to a model answers in the playground of a service without one", async () => {
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
  const page = await visit.open(`/agents/${agent.id}`, { user });
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
});
