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
import { StatusChip, statusWord } from "../../ui/status.tsx";
import type { Column } from "../../ui/table.tsx";
import { ago, duration } from "../../ui/time.ts";
import { useFilter } from "../../ui/use-filter.ts";
import { ToWorkflows } from "../workflows/to-workflows.tsx";
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
].map((status) => ({ value: status, label: statusWord(status) }));

function lengthOf({ startedAt, completedAt }: TaskSummary): string {
  return startedAt === null || completedAt === null
    ? ""
    : duration(Date.parse(completedAt) - Date.parse(startedAt));
}

/** Filters stand in the address: a list of failed runs can be sent to somebody. */
export function RunList() {
  const [, go] = useLocation();
  const [status, setStatus] = useFilter("status");
  const [workflowId, setWorkflowId] = useFilter("workflowId");
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const tasks = useTaskPages({ status, workflowId });
  const nameOf = useWorkflowName();
  const isFiltered = status !== "" || workflowId !== "";
  const toggle = (id: string): void =>
    setChosen(chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen.slice(-1), id]);

  const columns: Column<TaskSummary>[] = [
    {
      title: "Choose",
      untitled: true,
      wideOnly: true,
      cell: (task) => (
        <input
          type="checkbox"
          aria-label={`Choose the run of ${ago(task.createdAt)}`}
          checked={chosen.includes(task.id)}
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
    { title: "Took", wideOnly: true, muted: true, cell: lengthOf },
    { title: "When", muted: true, cell: (task) => <Ago at={task.createdAt} /> },
  ];

  return (
    <Screen
      title="Runs"
      actions={
        <button
          type="button"
          className="btn wide-only"
          title="Tick two runs in the list"
          disabled={chosen.length !== 2}
          onClick={() => go(`/runs/compare?a=${chosen[0]}&b=${chosen[1]}`)}
        >
          Compare two
        </button>
      }
    >
      <div className="page">
        <div className="filters">
          <SelectField label="Status" none="All" options={STATUSES} value={status} onChange={setStatus} />
          <WorkflowSelect none="All" value={workflowId} onChange={setWorkflowId} />
        </div>
        <RecordTable
          list={tasks}
          columns={columns}
          keyOf={({ id }) => id}
          empty={
            <Empty
              title={isFiltered ? "No run fits" : "Nothing has run yet"}
              action={!isFiltered && <ToWorkflows />}
            >
              {isFiltered
                ? "Choose another status or workflow."
                : "Open a workflow and press Run. Each run stands here with every step it took."}
            </Empty>
          }
        />
      </div>
    </Screen>
  );
}
