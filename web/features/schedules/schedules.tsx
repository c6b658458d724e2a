import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Plus, Trash2 } from "lucide-react";
import { useState } from "react";
import { Link } from "wouter";
import type { Schedule } from "../../../contract/schedules.ts";
import { call } from "../../api/client.ts";
import { useWorkflows } from "../../api/workflows.ts";
import { Switch } from "../../ui/field.tsx";
import { Screen } from "../../ui/screen.tsx";
import { Empty, Failure, Loaded } from "../../ui/states.tsx";
import { ago } from "../../ui/time.ts";
import { EndpointTabs } from "../endpoints/endpoint-tabs.tsx";
import { ScheduleDialog } from "./schedule-dialog.tsx";

function moment(iso: string | null): string {
  return iso === null
    ? "never"
    : new Date(iso).toLocaleString("en", { dateStyle: "medium", timeStyle: "short" });
}

export function Schedules() {
  const client = useQueryClient();
  const [making, setMaking] = useState(false);
  const names = new Map((useWorkflows().data ?? []).map(({ id, name }) => [id, name]));
  const again = (): void => void client.invalidateQueries({ queryKey: ["schedules"] });
  const schedules = useQuery({
    queryKey: ["schedules"],
    queryFn: () => call<{ schedules: Schedule[] }>("/api/schedules?limit=200"),
    select: (answer) => answer.schedules,
  });
  const change = useMutation({
    mutationFn: ({ id, active }: Pick<Schedule, "id" | "active">) =>
      call(`/api/schedules/${id}`, { method: "PATCH", body: { active } }),
    onSettled: again,
  });
  const remove = useMutation({
    mutationFn: (id: string) => call(`/api/schedules/${id}`, { method: "DELETE" }),
    onSettled: again,
  });
  const error = change.error ?? remove.error;
  return (
    <Screen
      title="Endpoints"
      actions={
        <button type="button" className="btn go" onClick={() => setMaking(true)}>
          <Plus size={14} /> New schedule
        </button>
      }
    >
      <div className="page">
        <EndpointTabs />
        {error !== null && <Failure error={error} />}
        <Loaded query={schedules}>
          {(list) =>
            list.length === 0 ? (
              <Empty title="No schedules yet">
                A schedule runs a workflow by itself: every morning, every quarter of an hour, on the first of
                each month.
              </Empty>
            ) : (
              <div className="card scroll-x">
                <table className="table">
                  <thead>
                    <tr>
                      <th>Workflow</th>
                      <th>When</th>
                      <th className="wide-only">Next</th>
                      <th className="wide-only">Last</th>
                      <th>On</th>
                      <th>
                        <span className="visually-hidden">Actions</span>
                      </th>
                    </tr>
                  </thead>
                  <tbody>
                    {list.map((schedule) => {
                      const name = schedule.name || (names.get(schedule.workflowId) ?? "a deleted workflow");
                      return (
                        <tr key={schedule.id}>
                          <td>
                            <Link href={`/workflows/${schedule.workflowId}`}>{name}</Link>
                          </td>
                          <td>
                            <code>{schedule.cron}</code>{" "}
                            <span className="muted wide-only">{schedule.timezone}</span>
                          </td>
                          <td className="wide-only muted">
                            {schedule.active ? moment(schedule.nextRunAt) : "resting"}
                          </td>
                          <td className="wide-only muted">
                            {schedule.lastTaskId === null ? (
                              "never"
                            ) : (
                              <Link href={`/runs/${schedule.lastTaskId}`}>{ago(schedule.lastRunAt)}</Link>
                            )}
                          </td>
                          <td>
                            <Switch
                              label=""
                              name={`Run ${name} by itself`}
                              checked={schedule.active}
                              onChange={(active) => change.mutate({ id: schedule.id, active })}
                            />
                          </td>
                          <td className="cell-actions">
                            <button
                              type="button"
                              className="btn ghost icon"
                              aria-label={`Delete the schedule of ${name}`}
                              onClick={() => remove.mutate(schedule.id)}
                            >
                              <Trash2 size={15} />
                            </button>
                          </td>
                        </tr>
                      );
                    })}
                  </tbody>
                </table>
              </div>
            )
          }
        </Loaded>
      </div>
      {making && <ScheduleDialog onClose={() => setMaking(false)} />}
    </Screen>
  );
}
