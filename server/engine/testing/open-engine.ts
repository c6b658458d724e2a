import { onTestFinished } from "vitest";
import type { Graph } from "../../../contract/graph.ts";
import { createEngine, type EngineDeps } from "../engine.ts";
import type { Engine, RunnableWorkflow } from "../engine-api.ts";
import type { StepRunner } from "../run/step-runner.ts";
import type { EngineStore } from "../store.ts";
import { createBlobs } from "../../lib/blob-store.ts";
import { systemClock } from "../../lib/clock.ts";
import { AppError } from "../../lib/errors.ts";
import type { Db } from "../../storage/db.ts";
import { createEngineStore } from "../../storage/engine/engine-store.ts";
import { createFolderStores } from "../../storage/files/folder-store.ts";
import { createConditionRunner } from "../../steps/condition.ts";
import { inlinePatterns } from "../../steps/testing/test-expressions.ts";
import { createSwitchRunner } from "../../steps/switch.ts";
import { limitsOf } from "../../limits/testing/limits-of.ts";
import { createTransformRunner } from "../../steps/transform.ts";
import { openTestDb } from "../../../test/support/open-db.ts";

export interface Bench {
  db: Db;
  folder: string;
  store: EngineStore;
  /** An engine on this database; a second one acts as the process after a crash. */
  engine(options?: Partial<EngineDeps>): Promise<Engine>;
  workflow(id: string, graph: Graph, ownerId?: string): RunnableWorkflow;
}

export async function openDb(): Promise<{ db: Db; folder: string }> {
  const { close, ...opened } = await openTestDb();
  onTestFinished(close);
  return opened;
}

const noExpressions = { evaluate: () => Promise.reject(new Error("There are no expressions in this test.")) };

/** The engine on a real database, without the service and with the runners of the test. */
export async function openBench(runners: Record<string, StepRunner["run"]> = {}): Promise<Bench> {
  const { db, folder } = await openDb();
  const store = createEngineStore(db);
  const workflows = new Map<string, RunnableWorkflow[]>();
  const find = (id: string, version?: number): Promise<RunnableWorkflow> => {
    const versions = workflows.get(id) ?? [];
    const workflow = versions[(version ?? versions.length) - 1];
    return workflow === undefined
      ? Promise.reject(new AppError("workflow_not_found", `no ${id}`))
      : Promise.resolve(workflow);
  };
  return {
    db,
    folder,
    store,
    workflow(id, graph, ownerId = "user_1") {
      const before = workflows.get(id) ?? [];
      const workflow = { id, ownerId, name: id, version: before.length + 1, graph };
      workflows.set(id, [...before, workflow]);
      return workflow;
    },
    async engine(options = {}) {
      const engine = await createEngine({
        store,
        blobs: createBlobs(createFolderStores(folder).area("blobs")),
        clock: systemClock,
        runners: new Map<string, StepRunner>([
          ["transform", createTransformRunner({ expressions: noExpressions })],
          ["condition", createConditionRunner({ expressions: inlinePatterns })],
          ["switch", createSwitchRunner()],
          ...Object.entries(runners).map(([type, run]) => [type, { run }] as const),
        ]),
        approvalUrl: (linkId) => `http://127.0.0.1/a/${linkId}`,
        resumeUrl: (taskId, path) => `http://127.0.0.1/resume/${taskId}/${path}`,
        evaluate: () => Promise.reject(new Error("There is no sandbox in this test.")),
        vault: { variables: () => Promise.resolve({}), secrets: () => Promise.resolve({}) },
        loadWorkflow: find,
        currentWorkflow: (_owner, id) => find(id),
        concurrency: 100,
        limits: limitsOf(),
        quarantineMs: 0,
        closeGraceMs: 0,
        onError: () => undefined,
        ...options,
      });
      engine.claimTasks();
      // A crashing engine is never closed: calls of its store do not return.
      if (options.store === undefined) onTestFinished(() => engine.close());
      return engine;
    },
  };
}
