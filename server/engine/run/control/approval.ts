import type { JsonValue } from "../../../../contract/placeholders/json-value.ts";
import { failed, type Outcome } from "../outcome.ts";
import type { ApprovalDecision } from "../../store.ts";
import type { ControlCall, ControlStep } from "../run.ts";
import { notifyApprover } from "./approval-notice.ts";

/** The data is listed with every open approval and shown to people, who read no more than this. */
const MAX_CONTEXT_BYTES = 64 * 1024;

/** Waits for a person. Exactly one decision counts; the time limit competes as one more decision. */
export const approval: ControlStep = async (call) => {
  const { run, memory, path } = call;
  const { store, clock } = run.deps;
  if (memory.waiting?.kind !== "wait") return open(call);
  const { due } = memory.waiting;
  let decision = await store.decision(run.task.id, path);
  if (decision === undefined && due !== null && due <= clock.now()) {
    await store.decide(run.task.id, path, timedOut(clock.now()));
    decision = await store.decision(run.task.id, path);
  }
  if (decision !== undefined) return outcomeOf(call, decision);
  const retry = await notifyApprover(call, shown(call), due);
  return { kind: "waiting", due: earlier(due, retry), forApproval: true };
};

function open(call: ControlCall): Outcome {
  const { run, path, fields, step } = call;
  const due = step.timeoutMs === undefined ? null : run.deps.clock.now() + step.timeoutMs;
  const { message, context } = shown(call);
  const json = context === undefined ? null : JSON.stringify(context);
  if (json !== null && Buffer.byteLength(json) > MAX_CONTEXT_BYTES)
    return failed("invalid_field", "The context of an approval can be at most 64 KiB. Show fewer fields.");
  return {
    kind: "waiting",
    // The email is sent by the next execution, so that the approval is recorded before it, also when the process dies.
    due: fields["notifyEmail"] === undefined ? due : run.deps.clock.now(),
    forApproval: true,
    begin: { status: "waiting_approval", due, openApproval: { path, message, context: json, dueAt: due } },
  };
}

/** Shown to people, and stored outside the journal: without secrets. */
function shown({ run, fields }: ControlCall): { message: string; context: JsonValue | undefined } {
  const text = String(fields["message"] ?? "");
  const { context } = fields;
  return {
    message: run.redactor?.text(text) ?? text,
    context: context === undefined ? undefined : ((run.redactor?.value(context) ?? context) as JsonValue),
  };
}

function outcomeOf(
  { path, fields }: ControlCall,
  { decision, comment, data, decidedBy }: ApprovalDecision,
): Outcome {
  const answer = decision === "timeout" ? (fields["onTimeout"] ?? "reject") : decision;
  if (answer === "fail") {
    return {
      ...failed("approval_timeout", "The approval was not decided within its time limit."),
      closedWaits: [path],
    };
  }
  const output: JsonValue = { decision: answer, comment, decidedBy, data };
  if (answer === "approve") return { kind: "completed", output, closedWaits: [path] };
  const by = decision === "timeout" ? "by the time limit" : "by a person";
  return {
    ...failed("rejected", comment === null ? `Rejected ${by}.` : `Rejected: ${comment}`),
    output,
    closedWaits: [path],
  };
}

function timedOut(now: number): ApprovalDecision {
  return { decision: "timeout", comment: null, data: null, decidedBy: "timeout", decidedAt: now };
}

function earlier(a: number | null, b: number | null): number | null {
  return a === null || b === null ? (a ?? b) : Math.min(a, b);
}
