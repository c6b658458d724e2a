import { includesRole, type Role } from "../../contract/roles.ts";
import { AppError } from "../lib/errors.ts";

export function assertRole(role: Role, least: Role): void {
  if (includesRole(role, least)) return;
  throw new AppError(
    "forbidden",
    `Your role in this workspace is ${role}. This needs the role ${least}; ask an admin of the workspace.`,
    { details: { role, requiredRole: least } },
  );
}

export function notMember(): AppError {
  return new AppError("forbidden", "You are not a member of this workspace.");
}
