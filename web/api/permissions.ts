import { useCallback } from "react";
import { OPERATION_ROLES } from "../../contract/operation-roles.ts";
import { includesRole, type Role } from "../../contract/role-order.ts";
import { useRole } from "./accounts.ts";

/** An operation of the service that a viewer may not call. */
export type Operation = keyof typeof OPERATION_ROLES;

/** Whether the person may call an operation in the workspace that the page shows, by the table of the service's routes. */
export function useMay(): (operation: Operation) => boolean {
  const role = useRole();
  return useCallback(
    (operation) => role !== undefined && includesRole(role, OPERATION_ROLES[operation]),
    [role],
  );
}

const ROLE_LABELS: Readonly<Record<Role, string>> = {
  owner: "Owner",
  admin: "Admin",
  builder: "Builder",
  operator: "Operator",
  viewer: "Viewer",
};

export function roleLabel(role: Role): string {
  return ROLE_LABELS[role];
}

/** Why something is not offered: "Needs the role Builder." */
export function neededRole(operation: Operation): string {
  return `Needs the role ${roleLabel(OPERATION_ROLES[operation])}.`;
}
