import { roleLabel } from "../../api/permissions.ts";
import type { Role } from "../../api/workspaces.ts";

/** The roles from the most to the least, with what each may do. */
export const ROLE_OPTIONS: readonly { value: Role; label: string; about: string }[] = [
  { value: "owner", label: roleLabel("owner"), about: "Everything, also owners and deleting the workspace" },
  { value: "admin", label: roleLabel("admin"), about: "Members, API keys, all connections, audit log" },
  {
    value: "builder",
    label: roleLabel("builder"),
    about: "Build and publish workflows, use shared connections",
  },
  { value: "operator", label: roleLabel("operator"), about: "Run, rerun and approve; cannot edit" },
  { value: "viewer", label: roleLabel("viewer"), about: "Read workflows and runs; secrets stay hidden" },
];

/** The roles that a person with this role may give: nobody gives more than they have. */
export function grantableRoles(own: Role) {
  return ROLE_OPTIONS.slice(ROLE_OPTIONS.findIndex(({ value }) => value === own));
}
