import { useState } from "react";
import {
  type AccountInvitation,
  inviteAccount,
  useAccountInvitations,
  useAdministration,
  withdrawInvitation,
} from "../../api/administration.ts";
import { Ago } from "../../ui/ago.tsx";
import { ConfirmButton } from "../../ui/confirm-button.tsx";
import { TextField } from "../../ui/field.tsx";
import { RecordTable } from "../../ui/record-table.tsx";
import { SecretDialog } from "../../ui/secret-dialog.tsx";
import { Empty, Failure } from "../../ui/states.tsx";
import type { Column } from "../../ui/table.tsx";
import { showToast } from "../../ui/toasts.tsx";

/** Links with which people create an account, also while registration is closed. */
export function AccountInvitations() {
  const [email, setEmail] = useState("");
  const [link, setLink] = useState<string>();
  const invitations = useAccountInvitations();
  const create = useAdministration(
    () => inviteAccount(email.trim()),
    ({ url, mailed }) => {
      setLink(url);
      if (mailed) showToast(`The link was mailed to ${email.trim()}.`);
      setEmail("");
    },
  );
  const withdraw = useAdministration(withdrawInvitation);
  const columns: Column<AccountInvitation>[] = [
    { title: "For", cell: (invitation) => invitation.email ?? "Anyone with the link" },
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
          onConfirm={() => withdraw.mutateAsync(invitation.id)}
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
          hint="Only this address can register with the link. Empty: anyone who has it."
        />
        <div className="actions">
          <button type="submit" className="btn go" disabled={create.isPending}>
            Invite
          </button>
        </div>
      </form>
      {create.error !== null && <Failure error={create.error} />}
      <RecordTable
        list={invitations}
        columns={columns}
        keyOf={({ id }) => id}
        empty={<Empty title="No open invitations">An invitation is a link that creates one account.</Empty>}
      />
      {link !== undefined && (
        <SecretDialog title="Invitation" label="Link" value={link} onClose={() => setLink(undefined)} />
      )}
    </section>
  );
}
