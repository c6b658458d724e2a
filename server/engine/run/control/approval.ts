import type { JsonValue } from "../../../../contract/placeholders/json-value.ts";
import { failed, type Outcome } from "../outcome.ts";
import type { ApprovalDecision } from "../../store.ts";
import type { ControlCall, ControlStep } from "../run.ts";

/** Waits for a person. Exactly one decision counts; the time limit competes as one more decision. */
export const approval: ControlStep = async (call) => {
  const { run, memory, path, fields, step } = call;
  const { store, clock } = run.deps;
  if (memory.waiting?.kind !== "wait") {
    const due = step.timeoutMs === undefined ? null : clock.now() + step.timeoutMs;
    // Shown to people, and stored outside the journal.
    const text = String(fields["message"] ?? "");
    const message = run.redactor?.text(text) ?? text;
    return {
      kind: "waiting",
      due,
      forApproval: true,
      begin: { status: "waiting_approval", due, openApproval: { path, message } },
    };
  }
  const { due } = memory.waiting;
  let decision = await store.decision(run.task.id, path);
  if (decision === undefined && due !== null && due <= clock.now()) {
    await store.decide(run.task.id, path, timedOut(clock.now()));
    decision = await store.decision(run.task.id, path);
  }
  return decision === undefined ? { kind: "waiting", due, forApproval: true } : outcomeOf(call, decision);
};

function outcomeOf(
  { path, fields }: ControlCall,
  { decision, comment, data, decidedBy }: ApprovalDecision,
): Outcome {
  const answer = decision === "timeout" ? (fields["onTimeout"] ?? "reject") : decision;
  if (answer === "fail") {
    return {
      ...failed("approval_timeout", "The approval was not decided within its time limit."),
      consumedApprovals: [path],
    };
  }
  const output: JsonValue = { decision: answer, comment, decidedBy, data };
  if (answer === "approve") return { kind: "completed", output, consumedApprovals: [path] };
  const by = decision === "timeout" ? "by the time limit" : "by a person";
  return {
    ...failed("rejected", comment === null ? `Rejected ${by}.` : `Rejected: ${comment}`),
    output,
    consumedApprovals: [path],
  };
}

function timedOut(now: number): ApprovalDecision {
  return { decision: "timeout", comment: null, data: null, decidedBy: "timeout", decidedAt: now };
}
