import { expect, test } from "vitest";
import { stepTypes } from "../../contract/steps/catalogue.ts";
import { limitsOf } from "../limits/testing/limits-of.ts";
import { noRunFiles } from "../run-files/testing/open-run-files.ts";
import { createEgress } from "../security/egress.ts";
import { createFolderStores } from "../storage/files/folder-store.ts";
import { createOwnerFolders } from "./owner-files.ts";
import { createStepRunners } from "./registry.ts";
import { createTestSandbox } from "../sandbox/testing/test-sandbox.ts";
import { createTestExpressions } from "./testing/test-expressions.ts";

const engineTypes = ["approval", "delay", "foreach", "wait_event", "while", "workflow"];
const runner = { run: async () => ({ output: null }) };

test("every step type has a runner, except those of the engine itself", () => {
  const runners = createStepRunners({
    egress: createEgress({ allowPrivate: true, allow: [], deny: [] }),
    connections: { use: () => Promise.reject(new Error("unused")) },
    expressions: createTestExpressions(),
    sandbox: createTestSandbox(),
    folders: createOwnerFolders(createFolderStores("/nonexistent")),
    runFiles: noRunFiles,
    converter: { run: () => Promise.reject(new Error("unused")), close: () => Promise.resolve() },
    smtp: { url: undefined, from: undefined },
    limits: limitsOf(),
    others: {
      llm: runner,
      agent: runner,
      app: runner,
      document_query: runner,
      mcp: runner,
      store: runner,
      sql: runner,
      redis: runner,
      s3: runner,
    },
  });
  const types = stepTypes.map(({ type }) => type).filter((type) => !engineTypes.includes(type));
  expect([...runners.keys()].sort()).toEqual(types.sort());
});
