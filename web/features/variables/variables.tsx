import { Lock, Pencil, Trash2 } from "lucide-react";
import { useState } from "react";
import type { Variable } from "../../../contract/variables.ts";
import { useChange } from "../../api/change.ts";
import { call } from "../../api/client.ts";
import { usePages } from "../../api/pages.ts";
import { ConfirmButton } from "../../ui/confirm-button.tsx";
import { RecordList } from "../../ui/record-list.tsx";
import { Screen } from "../../ui/screen.tsx";
import { Empty } from "../../ui/states.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { ago } from "../../ui/time.ts";
import { VariableForm } from "./variable-form.tsx";

export function Variables() {
  const [editing, setEditing] = useState<Variable>();
  const variables = usePages<Variable>({ noun: "variables", path: "/api/variables" });
  const remove = useChange(["variables"], (name: string) =>
    call(`/api/variables/${encodeURIComponent(name)}`, { method: "DELETE" }),
  );
  const columns: Column<Variable>[] = [
    {
      title: "Placeholder",
      cell: ({ name, secret }) => (
        <span className="ph nowrap">{`{{${secret ? "secrets" : "vars"}.${name}}}`}</span>
      ),
    },
    {
      title: "Value",
      cell: ({ secret, value }) =>
        secret ? (
          <span className="muted row">
            <Lock size={13} aria-hidden /> sealed
          </span>
        ) : (
          <code className="breakable">{typeof value === "string" ? value : JSON.stringify(value)}</code>
        ),
    },
    { title: "Changed", wideOnly: true, muted: true, cell: ({ updatedAt }) => ago(updatedAt) },
    {
      title: "Actions",
      untitled: true,
      actions: true,
      cell: (variable) => (
        <>
          <button
            type="button"
            className="btn ghost icon"
            aria-label={`Change ${variable.name}`}
            onClick={() => setEditing(variable)}
          >
            <Pencil size={15} />
          </button>
          <ConfirmButton
            className="btn ghost icon"
            label={`Delete ${variable.name}`}
            question={`Delete “${variable.name}”?`}
            consequence="Steps that name it get an empty value from then on."
            confirm="Delete"
            act={() => remove.mutateAsync(variable.name)}
          >
            <Trash2 size={15} />
          </ConfirmButton>
        </>
      ),
    },
  ];
  return (
    <Screen title="Variables">
      <div className="page">
        <VariableForm key={editing?.name ?? ""} variable={editing} onDone={() => setEditing(undefined)} />
        <RecordList
          list={variables}
          empty={
            <Empty title="No variables yet">
              What several workflows share stands here once: an address, a password. Steps reach it as{" "}
              {"{{vars.name}}"} or {"{{secrets.name}}"}.
            </Empty>
          }
        >
          {(list) => <Table columns={columns} rows={list} keyOf={({ name }) => name} />}
        </RecordList>
      </div>
    </Screen>
  );
}
