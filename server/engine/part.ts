import type { Member } from "../../contract/approvers.ts";
import { createBlobs, type BlobStore } from "../lib/blob-store.ts";
import { notFound } from "../lib/errors.ts";
import { createHeapGrowth } from "../lib/heap-growth.ts";
import type { RunFiles } from "../run-files/run-files.ts";
import type { Part, Platform } from "../platform/part.ts";
import { createFileItems } from "../convert/file-items.ts";
import { createConverter } from "../convert/converter.ts";
import { createSandbox, type Sandbox } from "../sandbox/sandbox.ts";
import { createExpressions } from "../steps/expressions.ts";
import type { OwnerFolders } from "../steps/owner-files.ts";
import { createStepRunners, type StepRunnersDeps } from "../steps/registry.ts";
import { createEngineStore } from "../storage/engine/engine-store.ts";
import type { EventOwners } from "../storage/engine/run-events.ts";
import { createPeers } from "../storage/engine/peers.ts";
import type { RunnableWorkflows } from "../workflows/runnable-workflow.sql.ts";
import { createEngine } from "./engine.ts";
import type { Engine, RunnableWorkflow } from "./engine-api.ts";
import { combineHiddenTasks, type HiddenTasks } from "./hidden-tasks.ts";
import type { ErrorOwners, Vault } from "./run/run.ts";

export interface EnginePart extends Part {
  engine: Engine;
  /** Expressions in the sandbox of the steps. */
  evaluate: Sandbox["evaluate"];
  /** Large step outputs, in one folder per task. */
  blobs: BlobStore;
}

/** Files that are parsed or written at once in a process, and of one owner. */
const CONVERSIONS = 2;
const CONVERSIONS_PER_OWNER = 1;

export interface EnginePartDeps {
  workflows: RunnableWorkflows;
  vault: Vault;
  connections: StepRunnersDeps["connections"];
  runFiles: RunFiles;
  folders: OwnerFolders;
  approvalUrl(linkId: string): string;
  listMembers(ownerId: string): Promise<Member[]>;
  resumeUrl(taskId: string, path: string): string;
  errorOwners: ErrorOwners;
  /** Runners of the step types that need another feature. */
  runners: StepRunnersDeps["others"];
  /** Built-in workflows, under ids that no user's workflow can have. */
  builtInWorkflows: readonly RunnableWorkflow[];
  /** Owners who have subscribed to events of their runs. */
  eventOwners: EventOwners;
  /** Work of other features that runs in its own lanes. */
  hiddenTasks: readonly HiddenTasks[];
}

export async function createEnginePart(
  { config, clock, db, files, metrics, tracing, egress, limits, report }: Platform,
  {
    workflows,
    vault,
    connections,
    runFiles,
    folders,
    approvalUrl,
    listMembers,
    resumeUrl,
    errorOwners,
    runners,
    builtInWorkflows,
    eventOwners,
    hiddenTasks,
  }: EnginePartDeps,
): Promise<EnginePart> {
  const builtIn = new Map(
    [...builtInWorkflows, ...hiddenTasks.map(({ workflow }) => workflow)].map((each) => [each.id, each]),
  );
  const expressions = createExpressions({
    queue: limits.share({ share: "expressions", slots: config.expressionProcesses, perKey: "expressions" }),
  });
  const converter = createConverter({
    queue: limits.share({ share: "conversions", slots: CONVERSIONS, perKey: CONVERSIONS_PER_OWNER }),
  });
  const sandbox = createSandbox({
    queue: limits.share({ share: "code", slots: config.codeThreads, perKey: "code" }),
    limits: {
      timeoutMs: limits.max("code_time"),
      memoryMb: limits.max("code_memory"),
      maxOutput: limits.max("value_bytes") || Number.MAX_SAFE_INTEGER,
    },
  });
  const blobs = createBlobs(files.area("blobs"));
  const runTracing = tracing && (await import("../telemetry/run-tracing.ts")).createRunTracing(tracing);
  const isShared = config.database.url !== undefined;
  const engine = await createEngine({
    store: createEngineStore(db, limits.max("response_bytes"), eventOwners),
    blobs,
    clock,
    runners: createStepRunners({
      tracing,
      egress,
      connections,
      expressions,
      sandbox,
      folders,
      runFiles,
      converter,
      limits,
      smtp: config.smtp,
      others: runners,
    }),
    vault,
    evaluate: (call) => sandbox.evaluate(call),
    fileItems: createFileItems({ runFiles, converter, limits, heapGrowth: createHeapGrowth() }),
    approvalUrl,
    listMembers,
    resumeUrl,
    errorOwners,
    loadWorkflow: async (id, version) => builtIn.get(id) ?? workflows.getCachedVersion(id, version),
    async currentWorkflow(ownerId, id) {
      const workflow = await workflows.findCurrent(id, ownerId);
      if (workflow === undefined) throw notFound("workflow", id);
      return workflow;
    },
    concurrency: config.workerConcurrency,
    limits,
    closeGraceMs: config.stopGraceMs,
    observer: metrics.runs,
    tracing: runTracing,
    ...(isShared && { leaseMs: config.leaseMs, peers: createPeers(db) }),
    ...combineHiddenTasks(hiddenTasks),
    onError: report,
  });
  metrics.collectWorkStats(engine.stats);
  limits.reports("running_tasks", engine.usage.running);
  limits.reports("queued_tasks", engine.usage.queued);
  return {
    engine,
    evaluate: sandbox.evaluate,
    blobs,
    // Files of `file` steps. Outputs are deleted with their tasks.
    eraseOwner: (ownerId) => files.area("files").removeFolder(ownerId),
    // Runs in parallel with the last requests: a caller may be waiting for a run that does not end in time.
    stop: () => engine.close(),
    async close() {
      await Promise.all([expressions.close(), converter.close(), sandbox.close()]);
    },
  };
}
