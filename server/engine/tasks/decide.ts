import { isNamed, mayDecide, type Member } from "../../../contract/approvers.ts";
import { AppError } from "../../lib/errors.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Decision, Engine, TaskWithSteps } from "../engine-api.ts";
import type { ApprovalState, PendingDecision } from "../approval-store.ts";
import type { EngineStore } from "../store.ts";

export interface DecideDeps {
  store: EngineStore;
  clock: Clock;
  listMembers(ownerId: string): Promise<Member[]>;
  wake(taskId: string): void;
  settled(taskId: string, timeoutMs: number): Promise<TaskWithSteps>;
  /** Whether the graph continues after a rejection at this path. */
  handlesRejection(approval: PendingDecision): Promise<boolean>;
}

/** How long the response to a rejection waits for the task to end. */
const REJECTION_MS = 2000;

export function createDecide(deps: DecideDeps): Engine["decide"] {
  const { store, clock } = deps;

  /** Checks no membership for an approval that anyone may decide: the caller has. */
  async function personOf(approval: ApprovalState, userId: string | undefined): Promise<Member | undefined> {
    const members = userId === undefined ? [] : await deps.listMembers(approval.ownerId);
    const person = members.find(({ id }) => id === userId);
    if (!isNamed(approval)) return person;
    if (person !== undefined && hasDecided(approval, person)) throw alreadyDecided();
    if (person === undefined || !mayDecide(approval, members, person))
      throw new AppError("forbidden", `You are not an approver of this step. ${approversText(approval)}`);
    return person;
  }

  return async (taskId, { stepId, linkId, userId, ...given }: Decision) => {
    const open = await store.openApprovals(taskId);
    const chosen = stepId === undefined ? open[0] : open.find(({ path }) => path === stepId);
    const approval = chosen && (await store.approval(chosen.taskId, chosen.path));
    if (chosen === undefined || approval === undefined) throw notWaiting();
    const person = await personOf(approval, userId);
    const decision = { ...given, via: given.via ?? "page", person, decidedAt: clock.now() };
    if (!(await store.decide(chosen.taskId, chosen.path, decision, linkId))) {
      const now = (await isStillOpen(chosen)) ? await store.approval(chosen.taskId, chosen.path) : undefined;
      throw now !== undefined && person !== undefined && hasDecided(now, person)
        ? alreadyDecided()
        : notWaiting();
    }
    if (decision.decision === "approve" && approval.requiredApprovals > 1 && (await isStillOpen(chosen)))
      return "waiting_approval";
    deps.wake(chosen.taskId);
    if (decision.decision === "approve" || (await deps.handlesRejection(chosen))) return "running";
    const ended = await deps.settled(taskId, REJECTION_MS);
    return ended.task.status === "completed" ? "running" : "rejected";
  };

  async function isStillOpen({ taskId, path }: PendingDecision): Promise<boolean> {
    return (await store.openApprovals(taskId)).some((each) => each.taskId === taskId && each.path === path);
  }
}

function hasDecided({ decisions }: ApprovalState, { id }: Member): boolean {
  return decisions.some(({ person }) => person?.id === id);
}

function approversText({ approvers }: ApprovalState): string {
  return approvers === null
    ? "It needs a member of the workspace with the role operator or higher."
    : `It needs ${approvers.join(", ")}.`;
}

function notWaiting(): AppError {
  return new AppError(
    "task_not_waiting",
    "This task is not waiting for a decision, or the decision was already made.",
  );
}

function alreadyDecided(): AppError {
  return new AppError(
    "already_decided",
    "You have already decided this approval. Another approver must decide.",
  );
}
