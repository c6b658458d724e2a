import type { Role } from "../../contract/roles.ts";
import type { CopyReport, MoveReport } from "../../contract/transfers.ts";
import { invalidRequest } from "../lib/errors.ts";
import { assertRole, notMember } from "../security/roles.ts";

export interface Transfer {
  workspaceId: string;
  userId: string;
  /** The id of the record. */
  id: string;
  targetId: string;
  dryRun: boolean;
}

/** Copies and moves records of one kind. Both throw `transfer_conflict`. */
export interface KindTransfers {
  copy(transfer: Transfer): Promise<CopyReport>;
  move(transfer: Transfer): Promise<MoveReport>;
}

/** To be called after the record was found: only then is the other workspace looked at. */
export type AssertTarget = (transfer: Transfer) => Promise<void>;

export function createAssertTarget(
  roleOf: (workspaceId: string, userId: string) => Promise<Role | undefined>,
): AssertTarget {
  return async ({ workspaceId, userId, targetId }) => {
    if (targetId === workspaceId)
      throw invalidRequest("It is in this workspace already. Name another one.", [
        { path: "workspaceId", message: "must be another workspace" },
      ]);
    const role = await roleOf(targetId, userId);
    if (role === undefined) throw notMember();
    assertRole(role, "builder");
  };
}
