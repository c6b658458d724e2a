import { useState } from "react";
import {
  type ApiKey,
  type KeyScope,
  createKey,
  revokeKey,
  useKeyMutation,
  useKeyPages,
} from "../../api/keys.ts";
import { SCOPE_GROUPS, scopeLabel } from "./api-key-scopes.ts";
import { Ago } from "../../ui/ago.tsx";
import { CheckboxList } from "../../ui/checkbox-list.tsx";
import { ConfirmButton } from "../../ui/confirm-button.tsx";
import { TextField } from "../../ui/field.tsx";
import { RecordTable } from "../../ui/record-table.tsx";
import { Screen } from "../../ui/screen.tsx";
import { SecretDialog } from "../../ui/secret-dialog.tsx";
import { Empty, Failure } from "../../ui/states.tsx";
import type { Column } from "../../ui/table.tsx";
import { SettingsTabs } from "./settings-tabs.tsx";

export function ApiKeys() {
  const [name, setName] = useState("");
  const [scopes, setScopes] = useState<readonly string[]>(["endpoints"]);
  const [rawKey, setRawKey] = useState<string>();
  const keys = useKeyPages();
  const create = useKeyMutation(
    () => createKey(name, scopes as readonly KeyScope[]),
    (created) => {
      setRawKey(created);
      setName("");
    },
  );
  const revoke = useKeyMutation(revokeKey);
  const columns: Column<ApiKey>[] = [
    { title: "Name", cell: (key) => key.name || "Unnamed" },
    { title: "Prefix", cell: (key) => <code>{key.prefix}…</code> },
    { title: "Scopes", wideOnly: true, cell: (key) => key.scopes.map(scopeLabel).join(", ") },
    { title: "Created", wideOnly: true, muted: true, cell: (key) => <Ago at={key.createdAt} /> },
    {
      title: "Last used",
      wideOnly: true,
      muted: true,
      cell: (key) => (key.lastUsedAt === null ? "never" : <Ago at={key.lastUsedAt} />),
    },
    {
      title: "Actions",
      hideTitle: true,
      actions: true,
      cell: (key) =>
        key.revokedAt === null ? (
          <ConfirmButton
            className="btn tiny danger"
            question={`Revoke “${key.name || key.prefix}”?`}
            consequence="Requests with this key are refused from now on. A revoked key cannot be restored."
            confirm="Revoke key"
            onConfirm={() => revoke.mutateAsync(key.id)}
          >
            Revoke
          </ConfirmButton>
        ) : (
          <span className="chip">revoked</span>
        ),
    },
  ];
  return (
    <Screen title="Settings">
      <div className="page">
        <SettingsTabs />
        <form
          className="card pad stack"
          aria-label="New API key"
          onSubmit={(event) => {
            event.preventDefault();
            create.mutate(undefined);
          }}
        >
          <TextField label="Name of the new key" value={name} onChange={setName} placeholder="Online shop" />
          {SCOPE_GROUPS.map(({ label, options }) => (
            <CheckboxList
              key={label}
              label={label}
              options={options}
              selected={scopes}
              onChange={setScopes}
            />
          ))}
          <div className="actions">
            <button type="submit" className="btn go" disabled={create.isPending || scopes.length === 0}>
              Create key
            </button>
          </div>
        </form>
        {create.error !== null && <Failure error={create.error} />}
        <RecordTable
          list={keys}
          columns={columns}
          keyOf={({ id }) => id}
          empty={
            <Empty title="No keys yet">
              An API key lets a program use what its scopes name. Create one for each program and revoke it
              when it is no longer needed.
            </Empty>
          }
        />
      </div>
      {rawKey !== undefined && (
        <SecretDialog
          title="New API key"
          label="API key"
          value={rawKey}
          onClose={() => setRawKey(undefined)}
        />
      )}
    </Screen>
  );
}
