import { Lock, Pencil } from "lucide-react";
import { useState } from "react";
import { deleteVariable, useVariableMutation, useVariablePages, type Variable } from "../../api/variables.ts";
import { Ago } from "../../ui/ago.tsx";
import { DeleteButton } from "../../ui/delete-button.tsx";
import { RecordTable } from "../../ui/record-table.tsx";
import { Screen } from "../../ui/screen.tsx";
import { Empty } from "../../ui/states.tsx";
import type { Column } from "../../ui/table.tsx";
import { VariableForm } from "./variable-form.tsx";

export function Variables() {
  const [editing, setEditing] = useState<Variable>();
  const variables = useVariablePages();
  const remove = useVariableMutation(deleteVariable);
  const columns: Column<Variable>[] = [
    {
      title: "Placeholder",
      cell: ({ name, secret }) => <span className="ph">{`{{${secret ? "secrets" : "vars"}.${name}}}`}</span>,
    },
    {
      title: "Value",
      cell: ({ secret, value }) =>
        secret ? (
          <span className="muted row">
            <Lock size={13} aria-hidden /> sealed
          </span>
        ) : (
          <code className="breakable few-lines">
            {typeof value === "string" ? value : JSON.stringify(value)}
          </code>
        ),
    },
    { title: "Changed", wideOnly: true, muted: true, cell: ({ updatedAt }) => <Ago at={updatedAt} /> },
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
          <DeleteButton
            label={`Delete ${variable.name}`}
            question={`Delete “${variable.name}”?`}
            consequence="Steps that name it get an empty value from then on."
            act={() => remove.mutateAsync(variable.name)}
          />
        </>
      ),
    },
  ];
  return (
    <Screen title="Variables">
      <div className="page">
        <VariableForm key={editing?.name ?? ""} variable={editing} onDone={() => setEditing(undefined)} />
        <RecordTable
          list={variables}
          columns={columns}
          keyOf={({ name }) => name}
          empty={
            <Empty title="No variables yet">
              What several workflows share stands here once: an address, a password. Steps reach it as{" "}
              {"{{vars.name}}"} or {"{{secrets.name}}"}.
            </Empty>
          }
        />
      </div>
    </Screen>
  );
}
