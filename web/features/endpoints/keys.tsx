import { useState } from "react";
import { type ApiKey, createKey, revokeKey, useKeyMutation, useKeyPages } from "../../api/keys.ts";
import { Ago } from "../../ui/ago.tsx";
import { ConfirmButton } from "../../ui/confirm-button.tsx";
import { ShownOnce } from "../../ui/copy-button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { TextField } from "../../ui/field.tsx";
import { RecordTable } from "../../ui/record-table.tsx";
import { Screen } from "../../ui/screen.tsx";
import { Empty, Failure } from "../../ui/states.tsx";
import type { Column } from "../../ui/table.tsx";
import { EndpointTabs } from "./endpoint-tabs.tsx";

export function Keys() {
  const [name, setName] = useState("");
  const [rawKey, setRawKey] = useState<string>();
  const keys = useKeyPages();
  const create = useKeyMutation(
    () => createKey(name),
    (created) => {
      setRawKey(created);
      setName("");
    },
  );
  const revoke = useKeyMutation(revokeKey);
  const columns: Column<ApiKey>[] = [
    { title: "Name", cell: (key) => key.name || "Unnamed" },
    { title: "Begins with", cell: (key) => <code>{key.prefix}…</code> },
    { title: "Made", wideOnly: true, muted: true, cell: (key) => <Ago at={key.createdAt} /> },
    {
      title: "Last used",
      wideOnly: true,
      muted: true,
      cell: (key) => (key.lastUsedAt === null ? "never" : <Ago at={key.lastUsedAt} />),
    },
    {
      title: "Actions",
      untitled: true,
      actions: true,
      cell: (key) =>
        key.revokedAt === null ? (
          <ConfirmButton
            className="btn tiny danger"
            question={`Revoke “${key.name || key.prefix}”?`}
            consequence="Programs that use it are refused from their next call on. It cannot be made valid again."
            confirm="Revoke it"
            act={() => revoke.mutateAsync(key.id)}
          >
            Revoke
          </ConfirmButton>
        ) : (
          <span className="chip">revoked</span>
        ),
    },
  ];
  return (
    <Screen title="Endpoints">
      <div className="page">
        <EndpointTabs />
        <form
          className="row wrap beside"
          onSubmit={(event) => {
            event.preventDefault();
            create.mutate(undefined);
          }}
        >
          <div className="grow">
            <TextField
              label="Name of a new key"
              value={name}
              onChange={setName}
              placeholder="Which program will use it"
            />
          </div>
          <button type="submit" className="btn go" disabled={create.isPending}>
            Make a key
          </button>
        </form>
        {create.error !== null && <Failure error={create.error} />}
        <RecordTable
          list={keys}
          columns={columns}
          keyOf={({ id }) => id}
          empty={
            <Empty title="No keys yet">
              A key lets a program call your endpoints without your password. Make one for each program, and
              revoke it when it is no longer needed.
            </Empty>
          }
        />
      </div>
      {rawKey !== undefined && (
        <Dialog title="Your new key" onClose={() => setRawKey(undefined)}>
          <ShownOnce label="API key" value={rawKey} />
          <div className="actions">
            <button type="button" className="btn go" onClick={() => setRawKey(undefined)}>
              I have kept it
            </button>
          </div>
        </Dialog>
      )}
    </Screen>
  );
}
