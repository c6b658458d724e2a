import { type ReactNode, useState } from "react";
import type { PagedList } from "../api/pages.ts";
import { Ago } from "./ago.tsx";
import { ConfirmButton } from "./confirm-button.tsx";
import { TextField } from "./field.tsx";
import { RecordTable } from "./record-table.tsx";
import { SecretDialog } from "./secret-dialog.tsx";
import { Empty, Failure } from "./states.tsx";
import type { Column } from "./table.tsx";
import { showToast } from "./toasts.tsx";

interface OpenInvitation {
  id: string;
  email: string | null;
  createdAt: string;
}

interface CreateInvitation {
  mutate: (
    email: string,
    options: { onSuccess: (created: { url: string; mailed: boolean }) => void },
  ) => void;
  isPending: boolean;
  error: Error | null;
}

interface InvitationSectionProps<Invitation> {
  invitations: PagedList<Invitation>;
  create: CreateInvitation;
  /** The text of the button that creates one. */
  action: string;
  onCancel: (id: string) => Promise<unknown>;
  /** About the address. */
  hint: string;
  /** What an invitation is. */
  about: string;
  /** Between the address and the time of creation. */
  columns?: readonly Column<Invitation>[];
  /** Fields beside the address. */
  children?: ReactNode;
}

/** Invites people by a link, and lists the links that nobody has used yet. */
export function InvitationSection<Invitation extends OpenInvitation>(
  props: InvitationSectionProps<Invitation>,
) {
  const { invitations, create, action, onCancel, hint, about, columns = [], children } = props;
  const [email, setEmail] = useState("");
  const [link, setLink] = useState<string>();
  const allColumns: Column<Invitation>[] = [
    { title: "For", cell: (invitation) => invitation.email ?? "Anyone with the link" },
    ...columns,
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
          onConfirm={() => onCancel(invitation.id)}
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
          const address = email.trim();
          create.mutate(address, {
            onSuccess({ url, mailed }) {
              setLink(url);
              if (mailed) showToast(`The link was mailed to ${address}.`);
              setEmail("");
            },
          });
        }}
      >
        <TextField
          label="Email address (optional)"
          type="email"
          value={email}
          onChange={setEmail}
          hint={hint}
        />
        {children}
        <div className="actions">
          <button type="submit" className="btn go" disabled={create.isPending}>
            {action}
          </button>
        </div>
      </form>
      {create.error !== null && <Failure error={create.error} />}
      <RecordTable
        list={invitations}
        columns={allColumns}
        keyOf={({ id }) => id}
        empty={<Empty title="No open invitations">{about}</Empty>}
      />
      {link !== undefined && (
        <SecretDialog title="Invitation" label="Link" value={link} onClose={() => setLink(undefined)} />
      )}
    </section>
  );
}
