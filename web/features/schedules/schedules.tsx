import { Pencil, Plus } from "lucide-react";
import { useState } from "react";
import { Link } from "wouter";
import {
  deleteSchedule,
  type Schedule,
  updateSchedule,
  useScheduleMutation,
  useSchedulePages,
} from "../../api/schedules.ts";
import { useWorkflowName } from "../../api/workflows.ts";
import { Ago } from "../../ui/ago.tsx";
import { describeCron } from "../../flow/describe-cron.ts";
import { DeleteButton } from "../../ui/delete-button.tsx";
import { Switch } from "../../ui/field.tsx";
import { RecordTable } from "../../ui/record-table.tsx";
import { Screen } from "../../ui/screen.tsx";
import { Empty, Failure } from "../../ui/states.tsx";
import type { Column } from "../../ui/table.tsx";
import { moment } from "../../ui/time.ts";
import { EndpointTabs } from "../endpoints/endpoint-tabs.tsx";
import { ScheduleDialog } from "./schedule-dialog.tsx";

export function Schedules() {
  const [editing, setEditing] = useState<Schedule | "new">();
  const workflowName = useWorkflowName();
  const schedules = useSchedulePages();
  const change = useScheduleMutation(({ id, active }: Pick<Schedule, "id" | "active">) =>
    updateSchedule(id, { active }),
  );
  const remove = useScheduleMutation(deleteSchedule);
  const nameOf = ({ name, workflowId }: Schedule): string => name || workflowName(workflowId);
  const columns: Column<Schedule>[] = [
    {
      title: "Workflow",
      cell: (schedule) => <Link href={`/workflows/${schedule.workflowId}`}>{nameOf(schedule)}</Link>,
    },
    {
      title: "When",
      cell: ({ cron, timezone }) => (
        <>
          <span title={cron}>{describeCron(cron) ?? <code className="nowrap">{cron}</code>}</span>{" "}
          <span className="muted wide-only">{timezone}</span>
        </>
      ),
    },
    {
      title: "Next",
      wideOnly: true,
      muted: true,
      cell: ({ active, nextRunAt }) => (active ? moment(nextRunAt) : "resting"),
    },
    {
      title: "Last",
      wideOnly: true,
      muted: true,
      cell: ({ lastTaskId, lastRunAt }) =>
        lastTaskId === null || lastRunAt === null ? (
          "never"
        ) : (
          <Link href={`/runs/${lastTaskId}`}>
            <Ago at={lastRunAt} />
          </Link>
        ),
    },
    {
      title: "On",
      cell: (schedule) => (
        <Switch
          label=""
          name={`Run ${nameOf(schedule)} by itself`}
          checked={schedule.active}
          onChange={(active) => change.mutate({ id: schedule.id, active })}
        />
      ),
    },
    {
      title: "Actions",
      untitled: true,
      actions: true,
      cell: (schedule) => (
        <>
          <button
            type="button"
            className="btn ghost icon"
            aria-label={`Change the schedule of ${nameOf(schedule)}`}
            onClick={() => setEditing(schedule)}
          >
            <Pencil size={15} />
          </button>
          <DeleteButton
            label={`Delete the schedule of ${nameOf(schedule)}`}
            question="Delete this schedule?"
            consequence="The workflow stays, and so do the runs it has made; no more are started by themselves."
            act={() => remove.mutateAsync(schedule.id)}
          />
        </>
      ),
    },
  ];
  return (
    <Screen
      title="Endpoints"
      actions={
        <button type="button" className="btn go" onClick={() => setEditing("new")}>
          <Plus size={14} /> New schedule
        </button>
      }
    >
      <div className="page">
        <EndpointTabs />
        {change.error !== null && <Failure error={change.error} />}
        <RecordTable
          list={schedules}
          columns={columns}
          keyOf={({ id }) => id}
          empty={
            <Empty title="No schedules yet">
              A schedule runs a workflow by itself: every morning, every quarter of an hour, on the first of
              each month.
            </Empty>
          }
        />
      </div>
      {editing !== undefined && (
        <ScheduleDialog
          schedule={editing === "new" ? undefined : editing}
          onClose={() => setEditing(undefined)}
        />
      )}
    </Screen>
  );
}
