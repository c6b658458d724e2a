import { expect, test } from "vitest";
import { stepTypes } from "../../contract/steps/catalogue.ts";
import { createEgress } from "../security/egress.ts";
import { createExpressions } from "./expressions.ts";
import { createStepRunners } from "./registry.ts";
import { sampleCall } from "./sample-call.ts";

const engineTypes = ["approval", "delay", "foreach", "workflow"];
const deps = {
  egress: createEgress({ listenHost: "127.0.0.1", allow: [], deny: [] }),
  expressions: createExpressions(),
  dataDir: "/nonexistent",
  smtp: { url: undefined, from: undefined },
};

test("every step type has a runner, except those of the engine itself", () => {
  const types = stepTypes.map(({ type }) => type).filter((type) => !engineTypes.includes(type));
  expect([...createStepRunners(deps).keys()].sort()).toEqual(types.sort());
});

test.each([
  ["llm", "llm_not_configured", "LLM_PROVIDER"],
  ["agent", "agent_not_available", "Agents"],
  ["document_query", "documents_not_available", "documents"],
  ["mcp", "mcp_not_available", "MCP"],
])("a step of type %s says what it lacks", async (type, code, word) => {
  await expect(createStepRunners(deps).get(type)?.run(sampleCall({}))).rejects.toMatchObject({
    code,
    message: expect.stringContaining(word),
    details: { permanent: true },
  });
});

test("another part's runner takes the place of the missing one", async () => {
  const more = new Map([["llm", { run: async () => ({ output: "hello" }) }]]);
  const runner = createStepRunners({ ...deps, more }).get("llm");
  expect(await runner?.run(sampleCall({}))).toEqual({ output: "hello" });
});
