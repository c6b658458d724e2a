import { useState } from "react";
import { WORKSPACE_SCOPE } from "../../../contract/store.ts";
import { useAgents } from "../../api/agents.ts";
import {
  deleteStoreValue,
  readStoreValue,
  type StoreValue,
  useStoreMutation,
  useStorePages,
} from "../../api/store.ts";
import { useWorkflows } from "../../api/workflows.ts";
import { Ago } from "../../ui/ago.tsx";
import { RecordTable } from "../../ui/record-table.tsx";
import { DeleteButton, EditButton } from "../../ui/row-actions.tsx";
import { Screen } from "../../ui/screen.tsx";
import { Empty } from "../../ui/states.tsx";
import type { Column } from "../../ui/table.tsx";
import { bytes, dateTime } from "../../ui/time.ts";
import "./store.css";
import { StoreDialog, type StoreScope } from "./store-dialog.tsx";
import { NewButton } from "../../ui/new-button.tsx";

/** The values that steps and agents keep between runs. */
export function Store() {
  const [search, setSearch] = useState("");
  const [open, setOpen] = useState<StoreValue | "new">();
  const values = useStorePages(search);
  const scopes = useScopes();
  const edit = useStoreMutation(readStoreValue, setOpen);
  const remove = useStoreMutation(deleteStoreValue);
  const columns: Column<StoreValue>[] = [
    { title: "Key", cell: ({ key }) => <code className="store-key">{key}</code> },
    {
      title: "Belongs to",
      cell: ({ scope }) => scopes.find(({ value }) => value === scope)?.label ?? <code>{scope}</code>,
    },
    {
      title: "Value",
      cell: (value) => <ShownValue value={value} />,
    },
    {
      title: "Expires",
      wideOnly: true,
      muted: true,
      cell: ({ expiresAt }) => (expiresAt === null ? "Never" : dateTime(expiresAt)),
    },
    { title: "Updated", wideOnly: true, muted: true, cell: ({ updatedAt }) => <Ago at={updatedAt} /> },
    {
      title: "Actions",
      hideTitle: true,
      actions: true,
      cell: (value) => (
        <>
          <EditButton may="putStoreValue" label={`Edit ${value.key}`} onClick={() => edit.mutate(value)} />
          <DeleteButton
            may="deleteStoreValue"
            label={`Delete ${value.key}`}
            question={`Delete “${value.key}”?`}
            consequence="Steps that read it find no value from now on."
            onConfirm={() => remove.mutateAsync(value)}
          />
        </>
      ),
    },
  ];
  return (
    <Screen
      title="Store"
      actions={
        <NewButton may="putStoreValue" onClick={() => setOpen("new")}>
          New value
        </NewButton>
      }
    >
      <div className="page">
        <input
          className="in"
          type="search"
          aria-label="Keys that begin with"
          placeholder="Keys that begin with …"
          value={search}
          onChange={(event) => setSearch(event.target.value)}
        />
        <RecordTable
          list={values}
          columns={columns}
          keyOf={({ scope, key }) => `${scope} ${key}`}
          empty={
            <Empty title={search === "" ? "No stored values yet" : "No key begins with this"}>
              Store steps keep values between runs here, such as a counter or the id of the last item, and
              agents what they remember.
            </Empty>
          }
        />
        {open !== undefined && (
          <StoreDialog
            value={open === "new" ? undefined : open}
            scopes={scopes}
            onClose={() => setOpen(undefined)}
          />
        )}
      </div>
    </Screen>
  );
}

/** A large value is not in the list: only its size. */
function ShownValue({ value: { value, bytes: size } }: { value: StoreValue }) {
  if (value === undefined) return <span className="muted">{bytes(size)}</span>;
  return (
    <code className="breakable few-lines">{typeof value === "string" ? value : JSON.stringify(value)}</code>
  );
}

function useScopes(): StoreScope[] {
  const workflows = useWorkflows().data ?? [];
  const agents = useAgents().data ?? [];
  return [
    { value: WORKSPACE_SCOPE, label: "All workflows" },
    ...workflows.map(({ id, name }) => ({ value: id, label: name })),
    ...agents.map(({ id, name }) => ({ value: id, label: `${name} (agent)` })),
  ];
}
