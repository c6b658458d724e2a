import { useState } from "react";
import { roleLabel } from "../../api/permissions.ts";
import {
  cancelInvitation,
  invite,
  type Role,
  useInvitations,
  useWorkspaceMutation,
} from "../../api/workspaces.ts";
import { SelectField } from "../../ui/field.tsx";
import { InvitationSection } from "../../ui/invitation-section.tsx";
import { grantableRoles } from "./roles.ts";

/** Invites people to a workspace, with a role. */
export function Invitations({ workspaceId, role: ownRole }: { workspaceId: string; role: Role }) {
  const [role, setRole] = useState<Role>("builder");
  const create = useWorkspaceMutation((email: string) => invite(workspaceId, role, email));
  const cancel = useWorkspaceMutation((id: string) => cancelInvitation(workspaceId, id));
  const roles = grantableRoles(ownRole);
  return (
    <InvitationSection
      invitations={useInvitations(workspaceId)}
      create={create}
      action="Create invitation"
      onCancel={cancel.mutateAsync}
      hint="Only the account with this address can use the link. Without an address, anyone who has the link can."
      about="An invitation is a link that works once."
      columns={[{ title: "Role", cell: (invitation) => roleLabel(invitation.role) }]}
    >
      <SelectField
        label="Role"
        value={role}
        onChange={(value) => setRole(value as Role)}
        options={roles}
        hint={roles.find(({ value }) => value === role)?.about}
      />
    </InvitationSection>
  );
}
