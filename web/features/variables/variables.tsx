import { Lock } from "lucide-react";
import { useState } from "react";
import { deleteVariable, useVariableMutation, useVariablePages, type Variable } from "../../api/variables.ts";
import { Ago } from "../../ui/ago.tsx";
import { DeleteButton, EditButton } from "../../ui/row-actions.tsx";
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
            <Lock size={13} aria-hidden /> encrypted
          </span>
        ) : (
          <code className="breakable few-lines">
            {typeof value === "string" ? value : JSON.stringify(value)}
          </code>
        ),
    },
    { title: "Updated", wideOnly: true, muted: true, cell: ({ updatedAt }) => <Ago at={updatedAt} /> },
    {
      title: "Actions",
      hideTitle: true,
      actions: true,
      cell: (variable) => (
        <>
          <EditButton
            may="putVariable"
            label={`Edit ${variable.name}`}
            onClick={() => setEditing(variable)}
          />
          <DeleteButton
            may="deleteVariable"
            label={`Delete ${variable.name}`}
            question={`Delete “${variable.name}”?`}
            consequence="Steps that use it get an empty value from now on."
            onConfirm={() => remove.mutateAsync(variable.name)}
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
              Variables hold values that several workflows share, such as a URL or a password. Steps use them
              as {"{{vars.name}}"} or {"{{secrets.name}}"}.
            </Empty>
          }
        />
      </div>
    </Screen>
  );
}
