import { useState } from "react";
import { type AdminWorkspace, useAllWorkspaces } from "../../api/administration.ts";
import { Ago } from "../../ui/ago.tsx";
import { TextField } from "../../ui/field.tsx";
import { RecordTable } from "../../ui/record-table.tsx";
import { Empty } from "../../ui/states.tsx";
import type { Column } from "../../ui/table.tsx";
import { WorkspaceRulesDialog } from "./workspace-rules-dialog.tsx";

/** The workspaces of the instance, with their limits and retention. */
export function Workspaces() {
  const [search, setSearch] = useState("");
  const [editing, setEditing] = useState<AdminWorkspace>();
  const workspaces = useAllWorkspaces(search.trim());
  const columns: Column<AdminWorkspace>[] = [
    { title: "Workspace", cell: ({ name }) => <b className="breakable">{name}</b> },
    { title: "Kind", muted: true, cell: ({ kind }) => (kind === "personal" ? "Personal" : "Team") },
    { title: "Members", wideOnly: true, muted: true, cell: ({ members }) => members },
    { title: "Created", wideOnly: true, muted: true, cell: ({ createdAt }) => <Ago at={createdAt} /> },
    {
      title: "Actions",
      hideTitle: true,
      actions: true,
      cell: (workspace) => (
        <button type="button" className="btn tiny" onClick={() => setEditing(workspace)}>
          Limits<span className="visually-hidden"> of {workspace.name}</span>
        </button>
      ),
    },
  ];
  return (
    <section className="stack" aria-label="Workspaces">
      <h2>Workspaces</h2>
      <TextField
        label="Search"
        type="search"
        value={search}
        onChange={setSearch}
        placeholder="Name or email"
      />
      <RecordTable
        list={workspaces}
        columns={columns}
        keyOf={({ id }) => id}
        empty={<Empty title="No workspaces found">Change the search.</Empty>}
      />
      {editing !== undefined && (
        <WorkspaceRulesDialog workspace={editing} onClose={() => setEditing(undefined)} />
      )}
    </section>
  );
}
