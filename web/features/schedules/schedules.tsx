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
import { describeCron } from "../../flow/describe-cron.ts";
import { Ago } from "../../ui/ago.tsx";
import { Switch } from "../../ui/switch.tsx";
import { NewButton } from "../../ui/new-button.tsx";
import { RecordTable } from "../../ui/record-table.tsx";
import { DeleteButton, EditButton } from "../../ui/row-actions.tsx";
import { Screen } from "../../ui/screen.tsx";
import { Empty, Failure } from "../../ui/states.tsx";
import type { Column } from "../../ui/table.tsx";
import { dateTime } from "../../ui/time.ts";
import { EndpointTabs } from "../endpoints/endpoint-tabs.tsx";
import { ScheduleDialog } from "./schedule-dialog.tsx";

export function Schedules() {
  const [editing, setEditing] = useState<Schedule | "new">();
  const workflowName = useWorkflowName();
  const schedules = useSchedulePages();
  const setActive = useScheduleMutation(({ id, active }: Pick<Schedule, "id" | "active">) =>
    updateSchedule(id, { active }),
  );
  const remove = useScheduleMutation(deleteSchedule);
  const nameOf = ({ name, workflowId }: Schedule): string => name || workflowName(workflowId);
  const columns: Column<Schedule>[] = [
    {
      title: "Workflow",
      cell: (schedule) => <Link href={`/workflows/${schedule.workflowId}`}>{nameOf(schedule)}</Link>,
    },
    { title: "Frequency", cell: (schedule) => <Frequency {...schedule} /> },
    {
      title: "Next run",
      wideOnly: true,
      muted: true,
      cell: ({ active, nextRunAt }) => (active ? dateTime(nextRunAt) : "Paused"),
    },
    { title: "Last run", wideOnly: true, muted: true, cell: (schedule) => <LastRun {...schedule} /> },
    {
      title: "Active",
      cell: (schedule) => (
        <Switch
          label=""
          name={`Run ${nameOf(schedule)} on schedule`}
          checked={schedule.active}
          onChange={(active) => setActive.mutate({ id: schedule.id, active })}
        />
      ),
    },
    {
      title: "Actions",
      hideTitle: true,
      actions: true,
      cell: (schedule) => (
        <>
          <EditButton
            label={`Edit the schedule of ${nameOf(schedule)}`}
            onClick={() => setEditing(schedule)}
          />
          <DeleteButton
            label={`Delete the schedule of ${nameOf(schedule)}`}
            question="Delete this schedule?"
            consequence="It starts no more runs. The workflow and its past runs are kept."
            onConfirm={() => remove.mutateAsync(schedule.id)}
          />
        </>
      ),
    },
  ];
  return (
    <Screen title="Endpoints" actions={<NewButton onClick={() => setEditing("new")}>New schedule</NewButton>}>
      <div className="page">
        <EndpointTabs />
        {setActive.error !== null && <Failure error={setActive.error} />}
        <RecordTable
          list={schedules}
          columns={columns}
          keyOf={({ id }) => id}
          empty={
            <Empty title="No schedules yet">
              A schedule runs a workflow automatically: every morning, every 15 minutes, on the first of each
              month.
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

function Frequency({ cron, timezone }: Schedule) {
  return (
    <>
      <span title={cron}>{describeCron(cron) ?? <code className="nowrap">{cron}</code>}</span>{" "}
      <span className="muted wide-only">{timezone}</span>
    </>
  );
}

function LastRun({ lastTaskId, lastRunAt }: Schedule) {
  if (lastTaskId === null || lastRunAt === null) return "never";
  return (
    <Link href={`/runs/${lastTaskId}`}>
      <Ago at={lastRunAt} />
    </Link>
  );
}
