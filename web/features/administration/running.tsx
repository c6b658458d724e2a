import { useState } from "react";
import {
  type AdminTask,
  stopTask,
  stopWorkspace,
  useAdministration,
  useOpenTasks,
} from "../../api/administration.ts";
import { Ago } from "../../ui/ago.tsx";
import { ConfirmButton } from "../../ui/confirm-button.tsx";
import { RecordTable } from "../../ui/record-table.tsx";
import { Segments } from "../../ui/segments.tsx";
import { Empty } from "../../ui/states.tsx";
import type { Column } from "../../ui/table.tsx";

const STATUSES: readonly { value: AdminTask["status"]; label: string }[] = [
  { value: "running", label: "Running" },
  { value: "queued", label: "Queued" },
  { value: "waiting", label: "Waiting" },
  { value: "waiting_approval", label: "Approval" },
];

const KINDS: readonly { value: AdminTask["kind"]; label: string }[] = [
  { value: "run", label: "Runs" },
  { value: "session", label: "Team sessions" },
  { value: "ingestion", label: "Documents" },
];

/** What the stop of one does. */
const CONSEQUENCES: Readonly<Record<AdminTask["kind"], string>> = {
  run: "It is cancelled, with the runs that it started. Results recorded so far stay.",
  session: "It is cancelled, with the runs that its agents started. Its messages stay.",
  ingestion: "The document fails, and what was stored of it is removed. It can be uploaded again.",
};
const NOUNS: Readonly<Record<AdminTask["kind"], string>> = {
  run: "run",
  session: "session",
  ingestion: "ingestion",
};

/** The open work of all workspaces, without its contents. */
export function Running() {
  const [kind, setKind] = useState<AdminTask["kind"]>("run");
  const [status, setStatus] = useState<AdminTask["status"]>("running");
  const tasks = useOpenTasks(kind, status);
  const stop = useAdministration(stopTask);
  const stopAll = useAdministration(stopWorkspace);
  const columns: Column<AdminTask>[] = [
    {
      title: kind === "run" ? "Workflow" : kind === "session" ? "Team" : "Document",
      cell: ({ id, workflowName, teamName, lastStep }) => (
        <>
          {kind === "ingestion" ? (
            <span className="mono small breakable">{id}</span>
          ) : (
            <b className="breakable">
              {(kind === "run" ? workflowName : teamName) ?? `No ${kind === "run" ? "workflow" : "team"}`}
            </b>
          )}
          {lastStep !== null && <div className="small muted breakable">after step {lastStep}</div>}
        </>
      ),
    },
    { title: "Workspace", cell: ({ workspace }) => <span className="breakable">{workspace.name}</span> },
    {
      title: "Started",
      wideOnly: true,
      muted: true,
      cell: ({ startedAt }) => (startedAt === null ? "Not yet" : <Ago at={startedAt} />),
    },
    {
      title: "Process",
      wideOnly: true,
      muted: true,
      cell: ({ process }) => <span className="mono small breakable">{process ?? ""}</span>,
    },
    {
      title: "Actions",
      hideTitle: true,
      actions: true,
      cell: ({ id, workspace }) => (
        <div className="admin-actions">
          <ConfirmButton
            className="btn tiny danger"
            question={`Stop this ${NOUNS[kind]}?`}
            consequence={CONSEQUENCES[kind]}
            confirm={`Stop ${NOUNS[kind]}`}
            onConfirm={() => stop.mutateAsync(id)}
          >
            Stop
          </ConfirmButton>
          <ConfirmButton
            className="btn tiny danger"
            question={`Stop all work of ${workspace.name}?`}
            consequence="Runs, team sessions and ingestions of this workspace that run, are queued or wait are stopped. New ones can start meanwhile."
            confirm="Stop all"
            onConfirm={() => stopAll.mutateAsync(workspace.id)}
          >
            Stop all<span className="visually-hidden"> of {workspace.name}</span>
          </ConfirmButton>
        </div>
      ),
    },
  ];
  return (
    <section className="stack" aria-label="Running">
      <h2>Open work of all workspaces</h2>
      <div className="row wrap">
        <Segments label="Kind" value={kind} onChange={setKind} options={KINDS} />
        <Segments label="Status" value={status} onChange={setStatus} options={STATUSES} />
      </div>
      <RecordTable
        list={tasks}
        columns={columns}
        keyOf={({ id }) => id}
        empty={<Empty title="Nothing here now">Nothing of this kind has this status in any workspace.</Empty>}
      />
    </section>
  );
}
