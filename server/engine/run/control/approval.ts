import type { JsonValue } from "../../../../contract/placeholders/json-value.ts";
import { failed, type Outcome } from "../outcome.ts";
import { toIso } from "../../../lib/clock.ts";
import type { ApprovalDecision, DecisionRecord } from "../../approval-store.ts";
import type { ControlCall, ControlStep } from "../run.ts";
import { notifyApprovers } from "./approval-notice.ts";
import { timeoutOf } from "./approval-timeout.ts";
import { approverRuleOf, requireApprovers } from "./approvers.ts";
import { earlier } from "./deadline.ts";

/** The data is listed with every open approval and shown to people, who read no more than this. */
const MAX_CONTEXT_BYTES = 64 * 1024;

/** Waits for people: a rejection or the required number of approvals decides. The time limit competes as one more decision. */
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
  if (decision !== undefined) return outcomeOf(call, decision, await decisionsOf(call));
  const retry = await notifyApprovers(call, questionOf(call), due);
  return { kind: "waiting", due: earlier(due, retry), forApproval: true };
};

async function open(call: ControlCall): Promise<Outcome> {
  const { run, path, fields, step } = call;
  const due = step.timeoutMs === undefined ? null : run.deps.clock.now() + step.timeoutMs;
  const { message, context } = questionOf(call);
  const json = context === undefined ? null : JSON.stringify(context);
  if (json !== null && Buffer.byteLength(json) > MAX_CONTEXT_BYTES)
    return failed("invalid_field", "The context of an approval can be at most 64 KiB. Show fewer fields.");
  const rule = approverRuleOf(call);
  if (rule !== undefined) await requireApprovers(call, rule);
  return {
    kind: "waiting",
    // The email is sent by the next execution, so that the approval is recorded before it, also when the process dies.
    due: fields["notifyEmail"] === undefined ? due : run.deps.clock.now(),
    forApproval: true,
    begin: {
      status: "waiting_approval",
      due,
      openApproval: {
        path,
        message,
        context: json,
        dueAt: due,
        ...(due !== null && { onTimeout: timeoutOf(fields) }),
        ...rule,
      },
    },
  };
}

/** Shown to people, and stored outside the journal: without secrets. */
function questionOf({ run, fields }: ControlCall): { message: string; context: JsonValue | undefined } {
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
  decisions: JsonValue | undefined,
): Outcome {
  const answer = decision === "timeout" ? timeoutOf(fields) : decision;
  const record = decisions === undefined ? {} : { decisions };
  if (answer === "fail") {
    return {
      ...failed("approval_timeout", "The approval was not decided within its time limit."),
      ...(decisions === undefined ? {} : { output: record }),
      closedWaits: [path],
    };
  }
  const output: JsonValue = { decision: answer, comment, decidedBy, data, ...record };
  if (answer === "approve") return { kind: "completed", output, closedWaits: [path] };
  const by = decision === "timeout" ? "by the time limit" : "by a person";
  return {
    ...failed("rejected", comment === null ? `Rejected ${by}.` : `Rejected: ${comment}`),
    output,
    closedWaits: [path],
  };
}

/** For the output. A step without approvers keeps the output that it always had. */
async function decisionsOf({ run, path, fields }: ControlCall): Promise<JsonValue | undefined> {
  if (fields["approvers"] === undefined && fields["requiredApprovals"] === undefined) return undefined;
  const approval = await run.deps.store.approval(run.task.id, path);
  return approval?.decisions.map(toDecisionOutput);
}

function toDecisionOutput({
  person,
  decidedBy,
  decision,
  comment,
  data,
  via,
  at,
}: DecisionRecord): JsonValue {
  const by = person ?? { id: decidedBy, name: null, email: null };
  return { by: { ...by }, decision, comment, via, at: toIso(at), ...(data === null ? {} : { data }) };
}

function timedOut(now: number): ApprovalDecision {
  return { decision: "timeout", comment: null, data: null, decidedBy: "timeout", decidedAt: now };
}
