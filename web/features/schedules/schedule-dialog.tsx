import { useState } from "react";
import { createSchedule, type Schedule, updateSchedule, useScheduleMutation } from "../../api/schedules.ts";
import { describeCron } from "../../flow/describe-cron.ts";
import { SelectField, TextField } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { parseJson } from "../../ui/parse-json.ts";
import { WorkflowSelect } from "../workflows/workflow-select.tsx";

const PRESETS = [
  { value: "0 8 * * *", label: "Every day at 8:00" },
  { value: "0 8 * * 1-5", label: "Every weekday at 8:00" },
  { value: "*/15 * * * *", label: "Every 15 minutes" },
  { value: "0 9 1 * *", label: "On the first of each month at 9:00" },
];

const OVERLAPS: { value: Schedule["overlap"]; label: string }[] = [
  { value: "allow", label: "Start anyway" },
  { value: "skip", label: "Skip the new run" },
  { value: "queue", label: "Start when the previous run ends" },
  { value: "cancel_previous", label: "Cancel the previous run" },
];

interface ScheduleDialogProps {
  schedule: Schedule | undefined;
  onClose: () => void;
}

/** Creates a schedule or edits one. The workflow of an existing schedule cannot change. */
export function ScheduleDialog({ schedule, onClose }: ScheduleDialogProps) {
  const [workflowId, setWorkflowId] = useState("");
  const [cron, setCron] = useState(schedule?.cron ?? PRESETS[0]?.value ?? "");
  const [timezone, setTimezone] = useState(
    schedule?.timezone ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
  );
  const [overlap, setOverlap] = useState<Schedule["overlap"]>(schedule?.overlap ?? "allow");
  const [text, setText] = useState(JSON.stringify(schedule?.input ?? {}, null, 2));
  const input = parseJson(text);
  const description = describeCron(cron);
  const save = useScheduleMutation(() => {
    const body = { cron, timezone, overlap, input: input.value };
    return schedule === undefined
      ? createSchedule({ workflowId, ...body })
      : updateSchedule(schedule.id, body);
  }, onClose);
  return (
    <FormDialog
      title={schedule === undefined ? "New schedule" : "Edit schedule"}
      onClose={onClose}
      action={save}
      submit={schedule === undefined ? "Create schedule" : "Save"}
      ready={input.error === undefined}
    >
      {schedule === undefined && (
        <WorkflowSelect
          emptyOption="Choose a workflow"
          required
          value={workflowId}
          onChange={setWorkflowId}
        />
      )}
      <SelectField
        label="Frequency"
        emptyOption="Custom"
        options={PRESETS}
        value={PRESETS.some(({ value }) => value === cron) ? cron : ""}
        onChange={setCron}
      />
      <TextField
        label="Cron expression"
        mono
        required
        value={cron}
        onChange={setCron}
        hint={`Minute, hour, day, month, weekday${description === undefined ? "" : `: ${description}`}.`}
      />
      <TextField label="Time zone" required value={timezone} onChange={setTimezone} />
      <SelectField
        label="If the previous run is still running"
        options={OVERLAPS}
        value={overlap}
        onChange={(value) => setOverlap(value as Schedule["overlap"])}
      />
      <TextField label="Input (JSON)" mono rows={2} value={text} onChange={setText} error={input.error} />
    </FormDialog>
  );
}
