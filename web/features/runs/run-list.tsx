import { useMemo, useState } from "react";
import { Link, useLocation, useSearchParams } from "wouter";
import { useTasks } from "../../api/tasks.ts";
import type { TaskSummary } from "../../api/types.ts";
import { useWorkflows } from "../../api/workflows.ts";
import { Field } from "../../ui/field.tsx";
import { Screen } from "../../ui/screen.tsx";
import { Empty, Loaded } from "../../ui/states.tsx";
import { StatusChip, statusWord } from "../../ui/status.tsx";
import { ago, duration } from "../../ui/time.ts";
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
];
const PAGE = 50;
const MOST = 200;

function lengthOf({ startedAt, completedAt }: TaskSummary): string {
  return startedAt === null || completedAt === null
    ? ""
    : duration(Date.parse(completedAt) - Date.parse(startedAt));
}

/** Filters stand in the address: a list of failed runs can be sent to somebody. */
export function RunList() {
  const [, go] = useLocation();
  const [search, setSearch] = useSearchParams();
  const status = search.get("status") ?? "";
  const workflowId = search.get("workflowId") ?? "";
  const [limit, setLimit] = useState(PAGE);
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const tasks = useTasks({ status, workflowId, limit });
  const workflows = useWorkflows();
  const names = useMemo(
    () => new Map((workflows.data ?? []).map(({ id, name }) => [id, name])),
    [workflows.data],
  );

  function filter(name: string, value: string): void {
    const next = new URLSearchParams(search);
    if (value === "") next.delete(name);
    else next.set(name, value);
    setSearch(next, { replace: true });
  }
  const toggle = (id: string): void =>
    setChosen(chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen.slice(-1), id]);

  return (
    <Screen
      title="Runs"
      actions={
        <button
          type="button"
          className="btn"
          disabled={chosen.length !== 2}
          onClick={() => go(`/runs/compare?a=${chosen[0]}&b=${chosen[1]}`)}
        >
          Compare two
        </button>
      }
    >
      <div className="page">
        <div className="filters">
          <Field label="Status">
            {(ids) => (
              <select
                className="in"
                {...ids}
                value={status}
                onChange={(event) => filter("status", event.target.value)}
              >
                <option value="">All</option>
                {STATUSES.map((word) => (
                  <option key={word} value={word}>
                    {statusWord(word)}
                  </option>
                ))}
              </select>
            )}
          </Field>
          <Field label="Workflow">
            {(ids) => (
              <select
                className="in"
                {...ids}
                value={workflowId}
                onChange={(event) => filter("workflowId", event.target.value)}
              >
                <option value="">All</option>
                {[...names].map(([id, name]) => (
                  <option key={id} value={id}>
                    {name}
                  </option>
                ))}
              </select>
            )}
          </Field>
        </div>
        <Loaded query={tasks}>
          {({ tasks: list, nextCursor }) =>
            list.length === 0 ? (
              <Empty title={status === "" && workflowId === "" ? "Nothing has run yet" : "No run fits"}>
                {status === "" && workflowId === ""
                  ? "Open a workflow and press Run. Each run stands here with every step it took."
                  : "Choose another status or workflow."}
              </Empty>
            ) : (
              <>
                <div className="card scroll-x">
                  <table className="table">
                    <thead>
                      <tr>
                        <th>
                          <span className="visually-hidden">Choose</span>
                        </th>
                        <th>Workflow</th>
                        <th>Status</th>
                        <th className="wide-only">Started by</th>
                        <th className="wide-only">Took</th>
                        <th>When</th>
                      </tr>
                    </thead>
                    <tbody>
                      {list.map((task) => (
                        <tr key={task.id}>
                          <td>
                            <input
                              type="checkbox"
                              aria-label={`Choose the run of ${ago(task.createdAt)}`}
                              checked={chosen.includes(task.id)}
                              onChange={() => toggle(task.id)}
                            />
                          </td>
                          <td>
                            <Link href={`/runs/${task.id}`}>
                              {names.get(task.workflowId) ?? "a deleted workflow"}
                            </Link>
                          </td>
                          <td>
                            <StatusChip status={task.status} />
                          </td>
                          <td className="wide-only muted">{task.trigger}</td>
                          <td className="wide-only muted">{lengthOf(task)}</td>
                          <td className="muted">{ago(task.createdAt)}</td>
                        </tr>
                      ))}
                    </tbody>
                  </table>
                </div>
                {nextCursor !== null && limit < MOST && (
                  <div>
                    <button type="button" className="btn" onClick={() => setLimit(MOST)}>
                      Show more
                    </button>
                  </div>
                )}
              </>
            )
          }
        </Loaded>
      </div>
    </Screen>
  );
}
