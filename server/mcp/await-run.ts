import { type Call, progressTokenOf } from "./call.ts";
import { elicitationOf } from "./approvals.ts";
import { RELATED_TASK, type Result } from "./protocol.ts";
import { hasEnded, type OpenApproval, type Run, type Runs } from "./runs.ts";
import { metaOf, pendingResult, resultOf } from "./tool-result.ts";

export interface AwaitRunDeps {
  runs: Runs;
  /** How long a client that receives no progress waits. */
  waitMs: number;
  /** The id of a question that is sent to the client: the answer may reach another process. */
  questionId(runId: string, approval: OpenApproval): string;
  /** The interim result that asks a newer client for these approvals. */
  askByResult(run: Run, approvals: readonly OpenApproval[]): Result;
}

export interface AwaitedRun {
  id: string;
  /** Number of steps, if the run is one of a workflow. */
  total?: number | undefined;
}

/**
 * Waits for the end of a run and returns its result. Reports progress and asks for approvals where the client can. The run
 * itself does not depend on the client: it continues when the client leaves.
 */
export async function awaitRun(
  { runs, waitMs, questionId, askByResult }: AwaitRunDeps,
  call: Call,
  { id, total }: AwaitedRun,
): Promise<Result> {
  const { caller, client, channel } = call;
  const progressToken = channel.isStream ? progressTokenOf(call) : undefined;
  const asked = new Set<string>();
  const notify = (progress: number, message: string): void =>
    channel.send({
      jsonrpc: "2.0",
      method: "notifications/progress",
      params: {
        progressToken,
        progress,
        ...(total !== undefined && { total }),
        message,
        _meta: metaOf(id),
      },
    });

  /** A newer client asks its user between two requests, an older one while this request is open. */
  function ask(run: Run, approvals: readonly OpenApproval[]): Result | undefined {
    if (client.elicits && client.isModern) return askByResult(run, approvals);
    if (!client.elicits || !channel.isStream) return pendingResult(run, runUrl(call, id));
    for (const approval of approvals.filter(({ key }) => !asked.has(key))) {
      asked.add(approval.key);
      const { method, params } = elicitationOf(approval);
      const _meta = { [RELATED_TASK]: { taskId: id } };
      channel.send({ jsonrpc: "2.0", id: questionId(id, approval), method, params: { ...params, _meta } });
    }
    return undefined;
  }

  const watch =
    progressToken === undefined
      ? undefined
      : runs.watch(id, ({ progress, message }) => notify(progress, message));
  if (watch !== undefined) notify(0, `Run ${id} started`);
  const timeout = AbortSignal.timeout(waitMs);
  let changes = watch;
  try {
    for (;;) {
      const isFollowed = progressToken !== undefined || asked.size > 0;
      const signal = isFollowed ? channel.signal : AbortSignal.any([channel.signal, timeout]);
      const run = await runs.settled(caller.ownerId, id, signal);
      if (hasEnded(run)) {
        await watch?.caughtUp();
        return resultOf(run);
      }
      if (signal.aborted) return pendingResult(run, runUrl(call, id));
      const open = await runs.approvals(caller.ownerId, id, caller.userId);
      const own = open.filter(({ forOthers }) => forOthers !== true);
      // A question for others may stay open for days, so the client learns where it is decided.
      const isForOthers = own.length === 0 && open.length > 0;
      const interim = isForOthers
        ? pendingResult(run, runUrl(call, id))
        : own.length === 0
          ? undefined
          : ask(run, own);
      if (interim !== undefined) return interim;
      changes ??= runs.watch(id);
      await changes.changed(signal);
    }
  } finally {
    changes?.close();
  }
}

export function runUrl({ baseUrl }: Pick<Call, "baseUrl">, runId: string): string {
  return runId.startsWith("sess_") ? `${baseUrl}/teams` : `${baseUrl}/runs/${runId}`;
}
