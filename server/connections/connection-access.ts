import { includesRole, type Role } from "../../contract/roles.ts";
import { AppError } from "../lib/errors.ts";
import type { ConnectionRecord } from "./connection.sql.ts";

interface Person {
  userId: string;
  role: Role;
}

/** Builders use every connection of the workspace, and see and change the settings of their own. */
export function canManage(
  { userId, role }: Person,
  { createdBy }: Pick<ConnectionRecord, "createdBy">,
): boolean {
  return includesRole(role, "admin") || (createdBy === userId && includesRole(role, "builder"));
}

export function assertCanManage(person: Person, connection: Pick<ConnectionRecord, "createdBy">): void {
  if (!canManage(person, connection))
    throw new AppError(
      "forbidden",
      "You may use this connection. Only the member who created it and admins may read or change its settings.",
      { details: { role: person.role, requiredRole: "admin" } },
    );
}
