import * as z from "zod";
import { includesRole, type Role, ROLES } from "./role-order.ts";

export { includesRole, ROLES, type Role };
export const roleSchema = z.enum(ROLES).meta({ id: "Role" });

/** What an API key allows on the routes that manage records. `:write` includes `:read`. */
export const MANAGEMENT_SCOPES = [
  "workflows:read",
  "workflows:write",
  "runs:read",
  "runs:write",
  "documents:read",
  "documents:write",
  "connections:read",
  "connections:write",
  "workspace:read",
  "workspace:write",
] as const;
export type ManagementScope = (typeof MANAGEMENT_SCOPES)[number];

export function includesScope(scopes: readonly string[], scope: ManagementScope): boolean {
  return scopes.includes(scope) || scopes.includes(scope.replace(/:read$/, ":write"));
}

/**
 * Who may call a route. `role` is the least role in the workspace of the request, `scope` the scope of an API key that opens
 * it, null for logins only. `account` routes are the person's own; `administrator` routes are the instance's.
 */
export type RouteAccess =
  | {
      role: Role;
      scope: ManagementScope | null;
      /** The path names the workspace in `:id`; otherwise it is the one of the header `X-Workspace`. */
      workspace?: "path";
    }
  | "account"
  | "administrator";

/** The person or program behind a request. */
export interface Actor {
  kind: "user" | "key" | "service_account";
  id: string;
  name: string;
}
