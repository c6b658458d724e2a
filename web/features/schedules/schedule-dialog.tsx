import { useState } from "react";
import { createSchedule, type Schedule, updateSchedule, useScheduleMutation } from "../../api/schedules.ts";
import { describeCron } from "../../flow/describe-cron.ts";
import { SelectField, TextField } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { readJson } from "../../ui/read-json.ts";
import { WorkflowSelect } from "../workflows/workflow-select.tsx";

const PRESETS = [
  { value: "0 8 * * *", label: "Every day at 8" },
  { value: "0 8 * * 1-5", label: "Every working day at 8" },
  { value: "*/15 * * * *", label: "Every quarter of an hour" },
  { value: "0 9 1 * *", label: "On the first of each month at 9" },
];

/** Makes a schedule, or changes one: only what it runs stays. */
export function ScheduleDialog({
  schedule,
  onClose,
}: {
  schedule: Schedule | undefined;
  onClose: () => void;
}) {
  const [workflowId, setWorkflowId] = useState("");
  const [cron, setCron] = useState(schedule?.cron ?? PRESETS[0]?.value ?? "");
  const [timezone, setTimezone] = useState(
    schedule?.timezone ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
  );
  const [text, setText] = useState(JSON.stringify(schedule?.input ?? {}, null, 2));
  const input = readJson(text);
  const words = describeCron(cron);
  const save = useScheduleMutation(() => {
    const body = { cron, timezone, input: input.value };
    return schedule === undefined
      ? createSchedule({ workflowId, ...body })
      : updateSchedule(schedule.id, body);
  }, onClose);
  return (
    <FormDialog
      title={schedule === undefined ? "New schedule" : "Change the schedule"}
      onClose={onClose}
      action={save}
      submit={schedule === undefined ? "Make the schedule" : "Save"}
      ready={input.wrong === undefined}
    >
      {schedule === undefined && (
        <WorkflowSelect none="Choose what to run" required value={workflowId} onChange={setWorkflowId} />
      )}
      <SelectField
        label="How often"
        none="As written below"
        options={PRESETS}
        value={PRESETS.some(({ value }) => value === cron) ? cron : ""}
        onChange={setCron}
      />
      <TextField
        label="As cron"
        mono
        required
        value={cron}
        onChange={setCron}
        hint={`Minute, hour, day, month, weekday${words === undefined ? "" : `: ${words}`}.`}
      />
      <TextField label="Time zone" required value={timezone} onChange={setTimezone} />
      <TextField label="Input (JSON)" mono rows={2} value={text} onChange={setText} wrong={input.wrong} />
    </FormDialog>
  );
}
