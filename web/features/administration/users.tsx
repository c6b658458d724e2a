import { useState } from "react";
import { useMe } from "../../api/accounts.ts";
import { type AdminUser, changeUser, useAdministration, useUsers } from "../../api/administration.ts";
import { Ago } from "../../ui/ago.tsx";
import { ConfirmButton } from "../../ui/confirm-button.tsx";
import { SelectField, TextField } from "../../ui/field.tsx";
import { RecordTable } from "../../ui/record-table.tsx";
import { Empty, Failure } from "../../ui/states.tsx";
import type { Column } from "../../ui/table.tsx";
import { AccountInvitations } from "./account-invitations.tsx";
import { bytes as bytesText } from "../../ui/time.ts";
import { DeleteUserDialog } from "./delete-user-dialog.tsx";

const STATUSES = [
  { value: "active", label: "Active" },
  { value: "disabled", label: "Disabled" },
];

/** The accounts of the instance. */
export function Users() {
  const [search, setSearch] = useState("");
  const [status, setStatus] = useState("");
  const [deleting, setDeleting] = useState<AdminUser>();
  const users = useUsers({ search: search.trim(), status });
  const me = useMe().data;
  const change = useAdministration(
    ({ id, ...body }: { id: string; disabled?: boolean; isAdministrator?: boolean }) => changeUser(id, body),
  );
  const columns: Column<AdminUser>[] = [
    {
      title: "User",
      cell: (user) => (
        <>
          <b className="breakable">{user.name ?? user.email}</b>{" "}
          {user.id === me?.id && <span className="chip">you</span>}
          {user.name !== null && <div className="small muted breakable">{user.email}</div>}
          <div className="narrow-only">
            <Status user={user} />
          </div>
        </>
      ),
    },
    { title: "Status", wideOnly: true, cell: (user) => <Status user={user} /> },
    {
      title: "Last login",
      wideOnly: true,
      muted: true,
      cell: ({ lastLoginAt }) => (lastLoginAt === null ? "Never" : <Ago at={lastLoginAt} />),
    },
    { title: "Workspaces", wideOnly: true, muted: true, cell: ({ workspaces }) => workspaces },
    {
      title: "Storage",
      wideOnly: true,
      muted: true,
      cell: ({ storageBytes }) => (storageBytes === null ? "Not measured" : bytesText(storageBytes)),
    },
    {
      title: "Actions",
      hideTitle: true,
      actions: true,
      cell: (user) => <Actions user={user} change={change.mutateAsync} onDelete={() => setDeleting(user)} />,
    },
  ];
  return (
    <>
      <section className="stack" aria-label="Users">
        <h2>Users</h2>
        <div className="admin-filters">
          <TextField
            label="Search"
            type="search"
            value={search}
            onChange={setSearch}
            placeholder="Name or email"
          />
          <SelectField
            label="Status"
            value={status}
            onChange={setStatus}
            options={STATUSES}
            emptyOption="All"
          />
        </div>
        {change.error !== null && <Failure error={change.error} />}
        <RecordTable
          list={users}
          columns={columns}
          keyOf={({ id }) => id}
          empty={<Empty title="No users found">Change the search or the status.</Empty>}
        />
      </section>
      <AccountInvitations />
      {deleting !== undefined && <DeleteUserDialog user={deleting} onClose={() => setDeleting(undefined)} />}
    </>
  );
}

function Status({ user }: { user: AdminUser }) {
  return (
    <span className="admin-chips">
      {user.disabledAt === null ? (
        <span className="chip dot ok">Active</span>
      ) : (
        <span className="chip dot bad">Disabled</span>
      )}
      {user.isAdministrator && <span className="chip">Administrator</span>}
      {user.twoFactor && <span className="chip">2FA</span>}
    </span>
  );
}

interface ActionsProps {
  user: AdminUser;
  change: (change: { id: string; disabled?: boolean; isAdministrator?: boolean }) => Promise<void>;
  onDelete: () => void;
}

function Actions({ user, change, onDelete }: ActionsProps) {
  const { id, isAdministrator, disabledAt } = user;
  const name = user.name ?? user.email;
  return (
    <div className="admin-actions">
      <ConfirmButton
        className="btn tiny"
        question={isAdministrator ? `Remove ${name} as administrator?` : `Make ${name} an administrator?`}
        consequence={
          isAdministrator
            ? "They keep their account and their workspaces."
            : "They can see all accounts, disable and delete them, and stop the runs of every workspace."
        }
        confirm={isAdministrator ? "Remove administrator" : "Make administrator"}
        onConfirm={() => change({ id, isAdministrator: !isAdministrator })}
      >
        {isAdministrator ? "Remove administrator" : "Make administrator"}
      </ConfirmButton>
      {disabledAt === null ? (
        <ConfirmButton
          className="btn tiny danger"
          question={`Disable ${name}?`}
          consequence="Their logins, API keys and connected apps stop at once, and nothing starts in their personal workspace. Runs that have begun go on. You can enable the account again."
          confirm="Disable"
          onConfirm={() => change({ id, disabled: true })}
        >
          Disable
        </ConfirmButton>
      ) : (
        <button
          type="button"
          className="btn tiny"
          onClick={() => void change({ id, disabled: false }).catch(() => undefined)}
        >
          Enable
        </button>
      )}
      <button type="button" className="btn tiny danger" onClick={onDelete}>
        Delete<span className="visually-hidden"> {name}</span>
      </button>
    </div>
  );
}
