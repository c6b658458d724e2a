import { createHash } from "node:crypto";
import { isRecord, type JsonValue } from "../../contract/placeholders/json-value.ts";
import { statusOfError } from "../../contract/errors.ts";
import type { Documents } from "../documents/documents.ts";
import type { RecordCall } from "../exposure/client-calls.ts";
import type { ExposedRecord, Exposures } from "../exposure/exposures.ts";
import type { Clock } from "../lib/clock.ts";
import { AppError } from "../lib/errors.ts";
import { maybeSlow } from "./annotations.ts";
import { elicitationOf } from "./approvals.ts";
import { awaitRun, type AwaitRunDeps, runUrl } from "./await-run.ts";
import type { Call } from "./call.ts";
import { invalidParams, type Params, type Result, requireText, RpcFailure } from "./protocol.ts";
import type { OpenApproval, Run, Runs } from "./runs.ts";
import { searchDocuments } from "./search-documents.ts";
import type { SignedState } from "./signed-state.ts";
import { decideAll, legacyTask, modernTask } from "./tasks.ts";
import { pendingResult, toolError } from "./tool-result.ts";

/** Starts the run of an exposed workflow, agent or team. */
export type StartRun = (
  record: ExposedRecord,
  input: Record<string, JsonValue>,
) => Promise<{ id: string; total?: number | undefined }>;

export interface CallToolDeps {
  exposures: Pick<Exposures, "find">;
  documents: Pick<Documents, "query">;
  runs: Runs;
  startRun: StartRun;
  /** A call has begun and may be cancelled by the client; returns the function that ends this. */
  trackCall(call: Call, runId: string): () => void;
  state: SignedState;
  clock: Clock;
  waitMs: number;
  recordCall: RecordCall;
}

/** An interrupted form can be answered for this long; the run itself waits as long as its approval allows. */
const STATE_LIFETIME_MS = 3_600_000;

export function createCallTool(deps: CallToolDeps) {
  const { exposures, documents, runs, startRun, trackCall, state, clock, recordCall } = deps;

  /** The state names the call, its caller and its time: no other caller or call can use it. */
  function stateOf(call: Call, runId: string, approvals: readonly OpenApproval[]): string {
    return state.sign({
      run: runId,
      asked: Object.fromEntries(approvals.map(({ stepId, key }) => [stepId, key])),
      caller: call.caller.callerId,
      call: digestOf(call.params),
      until: clock.now() + STATE_LIFETIME_MS,
    });
  }

  function readState(call: Call, requestState: string): { runId: string; asked: Record<string, unknown> } {
    const verified = state.verify(requestState);
    const isValid =
      verified?.["caller"] === call.caller.callerId &&
      verified["call"] === digestOf(call.params) &&
      Number(verified["until"]) > clock.now();
    if (!isValid)
      throw invalidParams("params.requestState is not valid or has expired. Repeat the call without it.");
    const { run: runId, asked } = verified;
    return { runId: String(runId), asked: isRecord(asked) ? asked : {} };
  }

  const awaitDeps = (call: Call): AwaitRunDeps => ({
    runs,
    waitMs: deps.waitMs,
    questionId: (run, { key }) => state.sign({ run, key, owner: call.caller.ownerId }),
    askByResult: (run, approvals) => ({
      resultType: "input_required",
      inputRequests: Object.fromEntries(approvals.map((each) => [each.stepId, elicitationOf(each)])),
      requestState: stateOf(call, run.id, approvals),
    }),
  });

  /** The result of a run that has started, by this request or another. */
  async function awaitResult(call: Call, runId: string, total?: number): Promise<Result> {
    const end = trackCall(call, runId);
    try {
      return await awaitRun(awaitDeps(call), call, { id: runId, total });
    } finally {
      end();
    }
  }

  /** The second request of a round trip: the client brings the answers of its user to the questions in the state. */
  async function resume(call: Call, runId: string, asked: Record<string, unknown>): Promise<Result> {
    const given = call.params["inputResponses"] ?? {};
    if (!isRecord(given)) throw invalidParams("params.inputResponses must be an object.");
    const known = Object.entries(given).filter(([stepId]) => Object.hasOwn(asked, stepId));
    const responses = Object.fromEntries(
      known.map(([stepId, response]) => [String(asked[stepId]), response]),
    );
    await decideAll(runs, call.caller, runId, responses);
    const isDismissed = known.some(([, response]) => isRecord(response) && response["action"] === "cancel");
    if (!isDismissed) return awaitResult(call, runId);
    const run = await runs.read(call.caller.ownerId, runId);
    return pendingResult(run, runUrl(call, runId));
  }

  async function run(call: Call, record: ExposedRecord, onStarted: (runId: string) => void): Promise<Result> {
    const { caller, client, params, channel } = call;
    const input = argumentsOf(params);
    if (record.kind === "documents") return searchDocuments(documents, caller.ownerId, input, channel.signal);
    const requestState = client.isModern ? params["requestState"] : undefined;
    if (typeof requestState === "string") {
      const { runId, asked } = readState(call, requestState);
      onStarted(runId);
      return resume(call, runId, asked);
    }
    const { id, total } = await startRun(record, input);
    onStarted(id);
    if (!client.isModern && params["task"] !== undefined)
      return { task: legacyTask(await runs.read(caller.ownerId, id)) };
    if (client.hasTasks && maybeSlow(record.workflow?.graph)) {
      const {
        result: _result,
        error: _error,
        ...task
      } = await modernTask(await startedRun(caller.ownerId, id));
      return { resultType: "task", ...task };
    }
    return awaitResult(call, id, total);
  }

  /** As it was when it began: the client reads its end by `tasks/get`. */
  async function startedRun(ownerId: string, id: string): Promise<Run> {
    return { ...(await runs.read(ownerId, id)), status: "working" };
  }

  async function callTool(call: Call): Promise<Result> {
    const { caller } = call;
    const name = requireText(call.params, "name");
    const record = await exposures.find(caller.ownerId, "mcp", name);
    if (record === undefined) throw invalidParams(`Unknown tool: ${name.slice(0, 100)}`);
    const began = clock.monotonic();
    let taskId: string | undefined;
    let errorCode: string | undefined;
    try {
      const result = await run(call, record, (runId) => (taskId = runId));
      if (result["isError"] === true) errorCode = "execution_failed";
      return result;
    } catch (error) {
      errorCode = codeOf(error);
      // A refusal by the run, such as an invalid input, is a result that the model reads and corrects.
      if (error instanceof AppError && statusOfError(error.code) < 500) return toolError(error.message);
      throw error;
    } finally {
      recordCall({
        ownerId: caller.ownerId,
        protocol: "mcp",
        method: call.method,
        record: { kind: record.kind, recordId: record.recordId, name },
        callerId: caller.callerId,
        callerName: caller.callerName,
        taskId,
        errorCode,
        durationMs: clock.monotonic() - began,
      });
    }
  }

  return { callTool, awaitResult };
}

function codeOf(error: unknown): string {
  if (error instanceof AppError) return error.code;
  return error instanceof RpcFailure ? "invalid_request" : "internal_error";
}

function argumentsOf({ arguments: given = {} }: Params): Record<string, JsonValue> {
  if (!isRecord(given)) throw invalidParams("params.arguments must be an object.");
  return given;
}

function digestOf({ name, arguments: given = {} }: Params): string {
  return createHash("sha256")
    .update(JSON.stringify([name, given]))
    .digest("base64url");
}
