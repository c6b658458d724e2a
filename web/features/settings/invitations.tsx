import { useState } from "react";
import {
  cancelInvitation,
  type Invitation,
  invite,
  type Role,
  useInvitations,
  useWorkspaceMutation,
} from "../../api/workspaces.ts";
import { Ago } from "../../ui/ago.tsx";
import { ConfirmButton } from "../../ui/confirm-button.tsx";
import { SelectField, TextField } from "../../ui/field.tsx";
import { RecordTable } from "../../ui/record-table.tsx";
import { SecretDialog } from "../../ui/secret-dialog.tsx";
import { Empty, Failure } from "../../ui/states.tsx";
import { showToast } from "../../ui/toasts.tsx";
import type { Column } from "../../ui/table.tsx";
import { roleLabel } from "../../api/permissions.ts";
import { grantableRoles } from "./roles.ts";

/** Invites people by a link, and lists the links that nobody has used yet. */
export function Invitations({ workspaceId, role: ownRole }: { workspaceId: string; role: Role }) {
  const [email, setEmail] = useState("");
  const [role, setRole] = useState<Role>("builder");
  const [link, setLink] = useState<string>();
  const invitations = useInvitations(workspaceId);
  const create = useWorkspaceMutation(
    () => invite(workspaceId, role, email.trim()),
    ({ url, mailed }) => {
      setLink(url);
      if (mailed) showToast(`The link was mailed to ${email.trim()}.`);
      setEmail("");
    },
  );
  const cancel = useWorkspaceMutation((id: string) => cancelInvitation(workspaceId, id));
  const roles = grantableRoles(ownRole);
  const columns: Column<Invitation>[] = [
    { title: "For", cell: (invitation) => invitation.email ?? "Anyone with the link" },
    { title: "Role", cell: (invitation) => roleLabel(invitation.role) },
    { title: "Created", wideOnly: true, muted: true, cell: ({ createdAt }) => <Ago at={createdAt} /> },
    {
      title: "Actions",
      hideTitle: true,
      actions: true,
      cell: (invitation) => (
        <ConfirmButton
          className="btn tiny danger"
          question={`Cancel the invitation for ${invitation.email ?? "anyone with the link"}?`}
          consequence="Its link stops working."
          confirm="Cancel invitation"
          onConfirm={() => cancel.mutateAsync(invitation.id)}
        >
          Cancel
        </ConfirmButton>
      ),
    },
  ];
  return (
    <section className="stack" aria-label="Invitations">
      <h2>Invitations</h2>
      <form
        className="card pad stack"
        aria-label="Invite"
        onSubmit={(event) => {
          event.preventDefault();
          create.mutate(undefined);
        }}
      >
        <TextField
          label="Email address"
          type="email"
          value={email}
          onChange={setEmail}
          hint="Only this account can use the link. Empty: anyone who has it."
        />
        <SelectField
          label="Role"
          value={role}
          onChange={(value) => setRole(value as Role)}
          options={roles.map(({ value, label, about }) => ({ value, label: `${label}: ${about}` }))}
        />
        <div className="actions">
          <button type="submit" className="btn go" disabled={create.isPending}>
            Create invitation
          </button>
        </div>
      </form>
      {create.error !== null && <Failure error={create.error} />}
      <RecordTable
        list={invitations}
        columns={columns}
        keyOf={({ id }) => id}
        empty={<Empty title="No open invitations">An invitation is a link that works once.</Empty>}
      />
      {link !== undefined && (
        <SecretDialog title="Invitation" label="Link" value={link} onClose={() => setLink(undefined)} />
      )}
    </section>
  );
}
