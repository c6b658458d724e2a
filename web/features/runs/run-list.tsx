import { useState } from "react";
import { Link, useLocation } from "wouter";
import { useTaskPages } from "../../api/tasks.ts";
import type { TaskSummary } from "../../api/types.ts";
import { useWorkflowName } from "../../api/workflows.ts";
import { Ago } from "../../ui/ago.tsx";
import { SelectField } from "../../ui/field.tsx";
import { RecordTable } from "../../ui/record-table.tsx";
import { Screen } from "../../ui/screen.tsx";
import { Empty } from "../../ui/states.tsx";
import { StatusChip, statusLabel } from "../../ui/status.tsx";
import type { Column } from "../../ui/table.tsx";
import { ago, duration } from "../../ui/time.ts";
import { useFilter } from "../../ui/use-filter.ts";
import { WorkflowsLink } from "../workflows/workflows-link.tsx";
import { WorkflowSelect } from "../workflows/workflow-select.tsx";
import "./runs.css";

const STATUSES = [
  "queued",
  "running",
  "waiting",
  "waiting_approval",
  "completed",
  "failed",
  "rejected",
  "cancelled",
].map((status) => ({ value: status, label: statusLabel(status) }));

function durationOf({ startedAt, completedAt }: TaskSummary): string {
  return startedAt === null || completedAt === null
    ? ""
    : duration(Date.parse(completedAt) - Date.parse(startedAt));
}

export function RunList() {
  const [, go] = useLocation();
  const [status, setStatus] = useFilter("status");
  const [workflowId, setWorkflowId] = useFilter("workflowId");
  const [selected, setSelected] = useState<readonly string[]>([]);
  const tasks = useTaskPages({ status, workflowId });
  const nameOf = useWorkflowName();
  const isFiltered = status !== "" || workflowId !== "";
  const toggle = (id: string): void =>
    setSelected(
      selected.includes(id) ? selected.filter((other) => other !== id) : [...selected.slice(-1), id],
    );

  const columns: Column<TaskSummary>[] = [
    {
      title: "Select",
      hideTitle: true,
      wideOnly: true,
      cell: (task) => (
        <input
          type="checkbox"
          aria-label={`Select the run of ${ago(task.createdAt)}`}
          checked={selected.includes(task.id)}
          onChange={() => toggle(task.id)}
        />
      ),
    },
    {
      title: "Workflow",
      cell: (task) => (
        <>
          <Link href={`/runs/${task.id}`}>{nameOf(task.workflowId)}</Link>
          {task.error !== null && <p className="xs muted few-lines breakable">{task.error.message}</p>}
        </>
      ),
    },
    { title: "Status", cell: (task) => <StatusChip status={task.status} /> },
    { title: "Started by", wideOnly: true, muted: true, cell: (task) => task.trigger },
    { title: "Duration", wideOnly: true, muted: true, cell: durationOf },
    { title: "Started", muted: true, cell: (task) => <Ago at={task.createdAt} /> },
  ];

  return (
    <Screen
      title="Runs"
      actions={
        <button
          type="button"
          className="btn wide-only"
          title="Select two runs in the list"
          disabled={selected.length !== 2}
          onClick={() => go(`/runs/compare?a=${selected[0]}&b=${selected[1]}`)}
        >
          Compare runs
        </button>
      }
    >
      <div className="page">
        <div className="filters">
          <SelectField
            label="Status"
            emptyOption="All"
            options={STATUSES}
            value={status}
            onChange={setStatus}
          />
          <WorkflowSelect emptyOption="All" value={workflowId} onChange={setWorkflowId} />
        </div>
        <RecordTable
          list={tasks}
          columns={columns}
          keyOf={({ id }) => id}
          empty={
            <Empty
              title={isFiltered ? "No matching runs" : "No runs yet"}
              action={!isFiltered && <WorkflowsLink />}
            >
              {isFiltered
                ? "Choose another status or workflow."
                : "Open a workflow and press Run. Every run is listed here with all of its steps."}
            </Empty>
          }
        />
      </div>
    </Screen>
  );
}
