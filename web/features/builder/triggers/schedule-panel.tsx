import { useState } from "react";
import { Link } from "wouter";
import { useAll } from "../../../api/pages.ts";
import {
  deleteSchedule,
  type Schedule,
  updateSchedule,
  useScheduleMutation,
} from "../../../api/schedules.ts";
import { Ago } from "../../../ui/ago.tsx";
import { ReadOnlyUnless } from "../../../ui/allowed.tsx";
import { Failure } from "../../../ui/states.tsx";
import { Tabs } from "../../../ui/tabs.tsx";
import { DeleteTrigger } from "./delete-trigger.tsx";
import { InputFieldsEditor } from "./input-fields-editor.tsx";
import { LiveNote } from "./live-note.tsx";
import { PanelFrame, type TriggerPanelProps } from "./panel-frame.tsx";
import { RecentCalls } from "./recent-calls.tsx";
import { ScheduleForm } from "./schedule-form.tsx";
import { TestInput } from "./test-input.tsx";
import { NEW_RECORD } from "./trigger-id.ts";

interface SchedulePanelProps extends TriggerPanelProps {
  onCreated: (id: string) => void;
}

export function SchedulePanel({ builder, recordId, onCreated }: SchedulePanelProps) {
  const schedules = useAll({ noun: "schedules", path: "/api/schedules" }).data;
  const schedule = schedules?.find(({ id }) => id === recordId);
  const update = useScheduleMutation((active: boolean) => updateSchedule(recordId, { active }));
  return (
    <PanelFrame
      builder={builder}
      kind="schedule"
      title={recordId === NEW_RECORD ? "New schedule" : schedule?.name || "Schedule"}
      may="updateSchedule"
      active={
        schedule && {
          checked: schedule.active,
          disabled: update.isPending,
          onChange: (active) => update.mutate(active),
        }
      }
    >
      {update.error !== null && <Failure error={update.error} />}
      {recordId === NEW_RECORD && (
        <ScheduleForm builder={builder} schedule={undefined} onSaved={({ id }) => onCreated(id)} />
      )}
      {schedule !== undefined && <Existing builder={builder} schedule={schedule} />}
    </PanelFrame>
  );
}

function Existing({ builder, schedule }: { builder: TriggerPanelProps["builder"]; schedule: Schedule }) {
  const [tab, setTab] = useState<"settings" | "runs">("settings");
  const remove = useScheduleMutation(() => deleteSchedule(schedule.id));
  return (
    <Tabs
      label="Schedule"
      value={tab}
      onChange={setTab}
      tabs={[
        { value: "settings", label: "Settings" },
        { value: "runs", label: "Recent runs" },
      ]}
    >
      {tab === "settings" ? (
        <>
          <LiveNote builder={builder} />
          <ReadOnlyUnless may="updateSchedule">
            <TestInput builder={builder} load={() => schedule.input} />
            <ScheduleForm builder={builder} schedule={schedule} onSaved={() => undefined} />
            <InputFieldsEditor builder={builder} />
            <DeleteTrigger
              builder={builder}
              label="Delete schedule"
              question="Delete this schedule?"
              consequence="It starts no more runs. The workflow and its past runs are kept."
              onDelete={() => remove.mutateAsync(undefined)}
            />
          </ReadOnlyUnless>
        </>
      ) : (
        <>
          {schedule.lastTaskId !== null && schedule.lastRunAt !== null && (
            <p className="small">
              Last run of this schedule:{" "}
              <Link href={`/runs/${schedule.lastTaskId}`}>
                <Ago at={schedule.lastRunAt} />
              </Link>
            </p>
          )}
          <RecentCalls workflowId={schedule.workflowId} trigger="schedule" empty="No scheduled runs yet." />
        </>
      )}
    </Tabs>
  );
}
