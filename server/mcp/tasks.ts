import { isRecord } from "../../contract/placeholders/json-value.ts";
import { toIso } from "../lib/clock.ts";
import { answerOf, elicitationOf } from "./approvals.ts";
import type { Call, Client, Handler } from "./call.ts";
import {
  invalidParams,
  missingCapability,
  RELATED_TASK,
  type Result,
  requireText,
  RPC,
  TASKS_EXTENSION,
} from "./protocol.ts";
import { hasEnded, type OpenApproval, type Run, type Runs } from "./runs.ts";
import { metaOf, resultOf } from "./tool-result.ts";

const POLL_INTERVAL_MS = 1000;
/** Errors of the service itself, not of the run. */
const SERVICE_ERRORS: ReadonlySet<string> = new Set(["internal_error", "poison_task"]);

export interface TaskMethodsDeps {
  runs: Runs;
  /** Waits for the run and returns its result, as the call of its tool would have. */
  awaitResult(call: Call, runId: string): Promise<Result>;
}

/** A run as a task of version 2025-11-25, where a failed run is a failed task. */
export function legacyTask(run: Run): Result {
  return {
    taskId: run.id,
    status: run.status === "waiting_approval" ? "input_required" : run.status,
    ...(run.error !== null && { statusMessage: run.error.message }),
    createdAt: toIso(run.createdAt),
    lastUpdatedAt: toIso(run.updatedAt),
    ttl: null,
    pollInterval: POLL_INTERVAL_MS,
  };
}

/** A run as a task of the tasks extension, where a failed run is a completed task with an error result. */
export async function modernTask(run: Run, approvals: readonly OpenApproval[] = []): Promise<Result> {
  const task = {
    taskId: run.id,
    createdAt: toIso(run.createdAt),
    lastUpdatedAt: toIso(run.updatedAt),
    ttlMs: null,
    pollIntervalMs: POLL_INTERVAL_MS,
  };
  if (run.status === "cancelled") return { ...task, status: "cancelled" };
  if (run.status === "failed" && SERVICE_ERRORS.has(run.error?.code ?? ""))
    return { ...task, status: "failed", error: { code: RPC.internalError, message: run.error?.message } };
  if (hasEnded(run)) return { ...task, status: "completed", result: await resultOf(run) };
  if (approvals.length === 0) return { ...task, status: "working" };
  return { ...task, status: "input_required", inputRequests: inputRequestsOf(approvals) };
}

function inputRequestsOf(approvals: readonly OpenApproval[]): Record<string, object> {
  return Object.fromEntries(approvals.map((approval) => [approval.key, elicitationOf(approval)]));
}

/** One branch of a run may wait for a person while another one works: the task asks for input then, too. */
export async function readTask(
  runs: Runs,
  client: Client,
  { ownerId, userId }: Call["caller"],
  run: Run,
): Promise<Result> {
  const isAsked = client.elicits && !hasEnded(run);
  const open = isAsked ? await runs.approvals(ownerId, run.id, userId) : [];
  return modernTask(
    run,
    open.filter(({ forOthers }) => forOthers !== true),
  );
}

/** Decides the approvals that the responses answer; unknown keys and invalid answers are ignored. */
export async function decideAll(
  runs: Runs,
  caller: Call["caller"],
  runId: string,
  responses: unknown,
): Promise<void> {
  if (!isRecord(responses)) throw invalidParams("params.inputResponses must be an object.");
  for (const [key, response] of Object.entries(responses)) {
    const answer = answerOf(key, response, caller);
    if (answer !== undefined) await runs.decide(caller.ownerId, runId, answer);
  }
}

/** The methods of the tasks extension: clients poll, and answer questions by `tasks/update`. */
export function modernTaskMethods({ runs }: Pick<TaskMethodsDeps, "runs">): Record<string, Handler> {
  const methods: Record<string, Handler> = {
    async "tasks/get"({ caller, client, params }) {
      const run = await runs.read(caller.ownerId, requireText(params, "taskId"));
      return readTask(runs, client, caller, run);
    },
    async "tasks/update"({ caller, params }) {
      const runId = requireText(params, "taskId");
      await runs.read(caller.ownerId, runId);
      await decideAll(runs, caller, runId, params["inputResponses"]);
      return {};
    },
    async "tasks/cancel"({ caller, params }) {
      await runs.cancel(caller.ownerId, requireText(params, "taskId"));
      return {};
    },
  };
  return Object.fromEntries(
    Object.entries(methods).map(([method, handler]) => [
      method,
      async (call: Call) => {
        if (!call.client.hasTasks) throw missingCapability({ extensions: { [TASKS_EXTENSION]: {} } });
        return handler(call);
      },
    ]),
  );
}

/** The experimental tasks of version 2025-11-25: `tasks/result` waits, and asks questions on its stream. */
export function legacyTaskMethods({ runs, awaitResult }: TaskMethodsDeps): Record<string, Handler> {
  return {
    "tasks/get": async ({ caller, params }) =>
      legacyTask(await runs.read(caller.ownerId, requireText(params, "taskId"))),
    async "tasks/result"(call) {
      const { id } = await runs.read(call.caller.ownerId, requireText(call.params, "taskId"));
      const result = await awaitResult(call, id);
      return { ...result, _meta: { ...metaOf(id), [RELATED_TASK]: { taskId: id } } };
    },
    async "tasks/cancel"({ caller, params }) {
      const run = await runs.read(caller.ownerId, requireText(params, "taskId"));
      if (hasEnded(run))
        throw invalidParams(`The task cannot be cancelled: it has ended with status ${run.status}.`);
      await runs.cancel(caller.ownerId, run.id);
      return legacyTask(await runs.read(caller.ownerId, run.id));
    },
  };
}
