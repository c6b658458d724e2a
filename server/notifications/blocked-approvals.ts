import { isBlocked, type Member } from "../../contract/approvers.ts";
import { createDueLoop, type DueLoop } from "../engine/worker/due-loop.ts";
import type { Clock } from "../lib/clock.ts";
import type { BlockedApprovalStore } from "./blocked-approval.sql.ts";

export interface BlockedApprovalsDeps {
  store: BlockedApprovalStore;
  /** Without disabled accounts. */
  listMembers(workspaceId: string): Promise<Member[]>;
  clock: Clock;
  onError(error: unknown): void;
}

export interface BlockedApprovals extends DueLoop {
  /** Members were removed or disabled, or have another role. */
  membersChanged(): void;
}

/** A change by a command, or of a process that was killed afterwards, is found after this time. */
const EVERY_MS = 60_000;

/** Finds open approvals with fewer approvers left than they need: an admin must decide them. */
export function createBlockedApprovals(deps: BlockedApprovalsDeps): BlockedApprovals {
  const { store, listMembers, clock, onError } = deps;
  let nextAt = 0;

  async function check(): Promise<void> {
    const members = new Map<string, Promise<Member[]>>();
    for (const approval of await store.list()) {
      const { ownerId } = approval;
      const known = members.get(ownerId) ?? listMembers(ownerId);
      members.set(ownerId, known);
      if (isBlocked(approval, await known)) await store.report(approval, clock.now());
    }
  }

  const loop = createDueLoop({
    clock,
    async takeDue() {
      if (clock.now() < nextAt) return false;
      nextAt = clock.now() + EVERY_MS;
      await check();
      return false;
    },
    nextDue: () => Promise.resolve(nextAt),
    onError,
  });
  return {
    ...loop,
    membersChanged() {
      nextAt = 0;
      loop.poll();
    },
  };
}
