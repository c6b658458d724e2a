import { useState } from "react";
import {
  createServiceAccount,
  deleteServiceAccount,
  type ServiceAccount,
  type ServiceAccountRole,
  updateServiceAccount,
  useServiceAccountMutation,
  useServiceAccounts,
} from "../../api/service-accounts.ts";
import { Ago } from "../../ui/ago.tsx";
import { SelectField, TextField } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { RecordTable } from "../../ui/record-table.tsx";
import { DeleteButton, EditButton } from "../../ui/row-actions.tsx";
import { Empty } from "../../ui/states.tsx";
import type { Column } from "../../ui/table.tsx";
import { roleLabel } from "../../api/permissions.ts";
import { grantableRoles } from "./roles.ts";

/** Members without a login. Their keys stay when the person who created them leaves. */
export function ServiceAccounts({ onNewKey }: { onNewKey: (serviceAccountId: string) => void }) {
  const [editing, setEditing] = useState<ServiceAccount | "new">();
  const accounts = useServiceAccounts();
  const remove = useServiceAccountMutation(deleteServiceAccount);
  const columns: Column<ServiceAccount>[] = [
    { title: "Name", cell: ({ name }) => <b className="breakable">{name}</b> },
    { title: "Role", cell: ({ role }) => roleLabel(role) },
    { title: "Created", wideOnly: true, muted: true, cell: ({ createdAt }) => <Ago at={createdAt} /> },
    {
      title: "Actions",
      hideTitle: true,
      actions: true,
      cell: (account) => (
        <>
          <button type="button" className="btn tiny" onClick={() => onNewKey(account.id)}>
            New key<span className="visually-hidden"> for {account.name}</span>
          </button>
          <EditButton
            may="updateServiceAccount"
            label={`Edit ${account.name}`}
            onClick={() => setEditing(account)}
          />
          <DeleteButton
            may="deleteServiceAccount"
            label={`Delete ${account.name}`}
            question={`Delete “${account.name}”?`}
            consequence="Its API keys are revoked and open nothing from now on. What it created stays."
            onConfirm={() => remove.mutateAsync(account.id)}
          />
        </>
      ),
    },
  ];
  return (
    <section className="stack" aria-label="Service accounts">
      <div className="row">
        <h2 className="grow">Service accounts</h2>
        <button type="button" className="btn" onClick={() => setEditing("new")}>
          New service account
        </button>
      </div>
      <RecordTable
        list={accounts}
        columns={columns}
        keyOf={({ id }) => id}
        empty={
          <Empty title="No service accounts yet">
            A service account is a member without a login, for CI and other programs. Its keys stay when the
            person who created them leaves.
          </Empty>
        }
      />
      {editing !== undefined && (
        <ServiceAccountDialog
          account={editing === "new" ? undefined : editing}
          onClose={() => setEditing(undefined)}
        />
      )}
    </section>
  );
}

interface ServiceAccountDialogProps {
  /** Undefined for a new one. */
  account: ServiceAccount | undefined;
  onClose: () => void;
}

function ServiceAccountDialog({ account, onClose }: ServiceAccountDialogProps) {
  const [name, setName] = useState(account?.name ?? "");
  const [role, setRole] = useState<ServiceAccountRole>(account?.role ?? "builder");
  const given = { name: name.trim(), role };
  const save = useServiceAccountMutation(
    () => (account === undefined ? createServiceAccount(given) : updateServiceAccount(account.id, given)),
    onClose,
  );
  return (
    <FormDialog
      title={account === undefined ? "New service account" : "Edit service account"}
      onClose={onClose}
      action={save}
      submit={account === undefined ? "Create service account" : "Save"}
      ready={given.name !== ""}
    >
      <TextField label="Name" value={name} onChange={setName} placeholder="Deployments" required />
      <SelectField
        label="Role"
        value={role}
        onChange={(value) => setRole(value as ServiceAccountRole)}
        options={grantableRoles("admin").map(({ value, label, about }) => ({
          value,
          label: `${label}: ${about}`,
        }))}
      />
    </FormDialog>
  );
}
