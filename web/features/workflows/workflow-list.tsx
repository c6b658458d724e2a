import { Plus, Sparkles, Upload } from "lucide-react";
import { lazy, Suspense, useMemo, useRef, useState } from "react";
import { Link, useLocation, useSearchParams } from "wouter";
import { messageOf } from "../../api/client.ts";
import { useTasks } from "../../api/tasks.ts";
import type { TaskSummary, Workflow } from "../../api/types.ts";
import { createWorkflow, importFile, useWorkflowChange, useWorkflows } from "../../api/workflows.ts";
import { Screen } from "../../ui/screen.tsx";
import { Loaded } from "../../ui/states.tsx";
import { StatusChip } from "../../ui/status.tsx";
import { ago } from "../../ui/time.ts";
import { say } from "../../ui/toasts.tsx";
import { FirstRun } from "./first-run.tsx";
import { WorkflowMenu } from "./workflow-menu.tsx";
import "./workflows.css";

const DescribeDialog = lazy(async () => ({
  default: (await import("../builder/describe-dialog.tsx")).DescribeDialog,
}));

function latestRuns(tasks: readonly TaskSummary[]): Map<string, TaskSummary> {
  const latest = new Map<string, TaskSummary>();
  for (const task of tasks) if (!latest.has(task.workflowId)) latest.set(task.workflowId, task);
  return latest;
}

export function WorkflowList() {
  const [, go] = useLocation();
  const [search, setSearch] = useSearchParams();
  const wanted = search.get("q") ?? "";
  const workflows = useWorkflows();
  const tasks = useTasks({ limit: 200 });
  const latest = useMemo(() => latestRuns(tasks.data?.tasks ?? []), [tasks.data]);
  const [describing, setDescribing] = useState(false);
  const [dropping, setDropping] = useState(false);
  const picker = useRef<HTMLInputElement>(null);
  const open = (workflow: Workflow): void => go(`/workflows/${workflow.id}`);
  const create = useWorkflowChange(() => createWorkflow({ name: "Untitled workflow" }), open);
  const bring = useWorkflowChange(importFile, open);

  async function take(file: File | undefined): Promise<void> {
    if (file === undefined) return;
    try {
      await bring.mutateAsync(file);
    } catch (error) {
      say(messageOf(error));
    }
  }

  return (
    <Screen
      title="Workflows"
      actions={
        <>
          <input
            ref={picker}
            type="file"
            accept="application/json,.json"
            className="visually-hidden"
            tabIndex={-1}
            aria-label="Workflow file"
            onChange={(event) => void take(event.target.files?.[0])}
          />
          <button type="button" className="btn ghost wide-only" onClick={() => picker.current?.click()}>
            <Upload size={15} /> Import
          </button>
          <button type="button" className="btn" onClick={() => setDescribing(true)}>
            <Sparkles size={15} /> <span>Describe it</span>
          </button>
          <button
            type="button"
            className="btn go"
            disabled={create.isPending}
            onClick={() => create.mutate(undefined)}
          >
            <Plus size={15} /> <span>New</span>
          </button>
        </>
      }
    >
      <div
        className={`page drop-area${dropping ? " over" : ""}`}
        onDragOver={(event) => {
          event.preventDefault();
          setDropping(true);
        }}
        onDragLeave={() => setDropping(false)}
        onDrop={(event) => {
          event.preventDefault();
          setDropping(false);
          void take(event.dataTransfer.files[0]);
        }}
      >
        <Loaded query={workflows}>
          {(list) =>
            list.length === 0 ? (
              <FirstRun />
            ) : (
              <>
                <input
                  className="in"
                  type="search"
                  aria-label="Search workflows"
                  placeholder="Search by name"
                  value={wanted}
                  onChange={(event) =>
                    setSearch(event.target.value === "" ? {} : { q: event.target.value }, { replace: true })
                  }
                />
                <Rows
                  list={list.filter(({ name }) => name.toLowerCase().includes(wanted.toLowerCase()))}
                  latest={latest}
                />
                <p className="small muted">Drop an exported file anywhere here to import it.</p>
              </>
            )
          }
        </Loaded>
      </div>
      {describing && (
        <Suspense fallback={null}>
          <DescribeDialog onClose={() => setDescribing(false)} onKept={open} />
        </Suspense>
      )}
    </Screen>
  );
}

function Rows({ list, latest }: { list: Workflow[]; latest: Map<string, TaskSummary> }) {
  if (list.length === 0) return <p className="muted">No workflow has that name.</p>;
  return (
    <div className="card scroll-x">
      <table className="table">
        <thead>
          <tr>
            <th>Name</th>
            <th className="wide-only">Steps</th>
            <th>Last run</th>
            <th className="wide-only">Changed</th>
            <th>
              <span className="visually-hidden">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {list.map((workflow) => {
            const run = latest.get(workflow.id);
            return (
              <tr key={workflow.id}>
                <td>
                  <Link href={`/workflows/${workflow.id}`}>{workflow.name}</Link>
                  {workflow.apiSettings.enabled && <span className="chip endpoint-chip">endpoint on</span>}
                </td>
                <td className="wide-only muted">{workflow.metadata.steps.length}</td>
                <td>
                  {run === undefined ? (
                    <span className="muted">never</span>
                  ) : (
                    <Link href={`/runs/${run.id}`} className="row last-run">
                      <StatusChip status={run.status} />{" "}
                      <span className="muted wide-only">{ago(run.createdAt)}</span>
                    </Link>
                  )}
                </td>
                <td className="wide-only muted">{ago(workflow.updatedAt)}</td>
                <td className="cell-actions">
                  <WorkflowMenu workflow={workflow} />
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
