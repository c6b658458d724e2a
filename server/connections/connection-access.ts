import { includesRole, type Role } from "../../contract/roles.ts";
import { AppError } from "../lib/errors.ts";
import type { ConnectionRecord } from "./connection.sql.ts";

interface Member {
  authorId: string;
  role: Role;
}

/** Builders use every connection of the workspace, and see and change the settings of their own. */
export function canManage(
  { authorId, role }: Member,
  { createdBy }: Pick<ConnectionRecord, "createdBy">,
): boolean {
  return includesRole(role, "admin") || (createdBy === authorId && includesRole(role, "builder"));
}

export function assertCanManage(member: Member, connection: Pick<ConnectionRecord, "createdBy">): void {
  if (!canManage(member, connection))
    throw new AppError(
      "forbidden",
      "You may use this connection. Only the member who created it and admins may read or change its settings.",
      { details: { role: member.role, requiredRole: "admin" } },
    );
}
