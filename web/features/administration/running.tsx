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

/** The open runs of all workspaces, without their contents. */
export function Running() {
  const [status, setStatus] = useState<AdminTask["status"]>("running");
  const tasks = useOpenTasks(status);
  const stop = useAdministration(stopTask);
  const stopAll = useAdministration(stopWorkspace);
  const columns: Column<AdminTask>[] = [
    {
      title: "Workflow",
      cell: ({ workflowName, lastStep }) => (
        <>
          <b className="breakable">{workflowName ?? "No workflow"}</b>
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
            question="Stop this run?"
            consequence="It is cancelled, with the runs that it started. Results recorded so far stay."
            confirm="Stop run"
            onConfirm={() => stop.mutateAsync(id)}
          >
            Stop
          </ConfirmButton>
          <ConfirmButton
            className="btn tiny danger"
            question={`Stop all runs of ${workspace.name}?`}
            consequence="Running, queued and waiting runs of this workspace are cancelled. New ones can start meanwhile."
            confirm="Stop all runs"
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
      <h2>Open runs of all workspaces</h2>
      <div>
        <Segments label="Status" value={status} onChange={setStatus} options={STATUSES} />
      </div>
      <RecordTable
        list={tasks}
        columns={columns}
        keyOf={({ id }) => id}
        empty={<Empty title="Nothing here now">No run of any workspace has this status.</Empty>}
      />
    </section>
  );
}
