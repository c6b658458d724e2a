import { useDeferredValue, useState } from "react";
import { messageOf } from "../../../api/api-error.ts";
import {
  createSchedule,
  type Schedule,
  updateSchedule,
  useNextTimes,
  useScheduleMutation,
} from "../../../api/schedules.ts";
import { describeCron } from "../../../flow/describe-cron.ts";
import { SelectField, TextField } from "../../../ui/field.tsx";
import { Failure } from "../../../ui/states.tsx";
import { dateTimeIn } from "../../../ui/time.ts";
import { InputEditor, useInputEditor } from "../../forms/input-editor.tsx";
import type { BuilderState } from "../use-builder.ts";

const PRESETS = [
  { value: "*/15 * * * *", label: "Every 15 minutes" },
  { value: "0 * * * *", label: "Every hour" },
  { value: "0 8 * * *", label: "Every day at 8:00" },
  { value: "0 8 * * 1-5", label: "Every weekday at 8:00" },
  { value: "0 8 * * 1", label: "Every Monday at 8:00" },
  { value: "0 9 1 * *", label: "On the first of each month at 9:00" },
];

const OVERLAPS: { value: Schedule["overlap"]; label: string }[] = [
  { value: "allow", label: "Start anyway" },
  { value: "skip", label: "Skip the new run" },
  { value: "queue", label: "Start when the previous run ends" },
  { value: "cancel_previous", label: "Cancel the previous run" },
];

const MISFIRES: { value: Schedule["misfire"]; label: string }[] = [
  { value: "run_once", label: "Run once" },
  { value: "skip", label: "Skip them" },
  { value: "catch_up", label: "Run each, up to 100" },
];

const DEFAULT_CRON = "0 8 * * *";

interface ScheduleFormProps {
  builder: BuilderState;
  schedule: Schedule | undefined;
  onSaved: (schedule: Schedule) => void;
}

/** Times in the words of people, the next five of them, and what happens when runs overlap or are missed. */
export function ScheduleForm({ builder, schedule, onSaved }: ScheduleFormProps) {
  const { workflow } = builder;
  const { proposedTrigger } = builder;
  const [name, setName] = useState(schedule?.name ?? "");
  const [cron, setCron] = useState(schedule?.cron ?? proposedTrigger?.cron ?? DEFAULT_CRON);
  const [timezone, setTimezone] = useState(
    schedule?.timezone ?? proposedTrigger?.timezone ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
  );
  const [overlap, setOverlap] = useState<Schedule["overlap"]>(schedule?.overlap ?? "allow");
  const [misfire, setMisfire] = useState<Schedule["misfire"]>(schedule?.misfire ?? "run_once");
  // The schedule starts the live version, so its fields count.
  const input = useInputEditor(workflow.metadata.inputSchema, schedule?.input ?? {});
  const description = describeCron(cron);
  const save = useScheduleMutation((given: unknown) => {
    const body = { name, cron, timezone, overlap, misfire, input: given };
    return schedule === undefined
      ? createSchedule({ workflowId: workflow.id, ...body })
      : updateSchedule(schedule.id, body);
  }, onSaved);
  return (
    <form
      className="stack tight"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        const read = input.read();
        if (read !== undefined) save.mutate(read.input);
      }}
    >
      <div className="side">
        <TextField label="Name" value={name} onChange={setName} placeholder="Schedule" />
        <SelectField
          label="Frequency"
          emptyOption="Custom"
          options={PRESETS}
          value={PRESETS.some(({ value }) => value === cron) ? cron : ""}
          onChange={(value) => value !== "" && setCron(value)}
        />
        <TextField
          label="Cron"
          mono
          required
          value={cron}
          onChange={setCron}
          hint={description === undefined ? "Minute, hour, day, month, weekday" : sentence(description)}
        />
        <SelectField
          label="Time zone"
          value={timezone}
          onChange={setTimezone}
          options={timeZones(timezone)}
        />
      </div>
      <NextTimes cron={cron} timezone={timezone} />
      <div className="side">
        <SelectField
          label="Overlap"
          hint="When the previous run is still running"
          options={OVERLAPS}
          value={overlap}
          onChange={(value) => setOverlap(value as Schedule["overlap"])}
        />
        <SelectField
          label="Missed runs"
          hint="After the service was down"
          options={MISFIRES}
          value={misfire}
          onChange={(value) => setMisfire(value as Schedule["misfire"])}
        />
      </div>
      <details open={schedule === undefined && input.fields !== undefined}>
        <summary className="small">Input of each run</summary>
        <div className="stack tight">
          <InputEditor editor={input} rows={3} />
        </div>
      </details>
      {save.error !== null && <Failure error={save.error} />}
      <div className="actions">
        <button type="submit" className="btn go" disabled={save.isPending}>
          {schedule === undefined ? "Create schedule" : "Save"}
        </button>
      </div>
    </form>
  );
}

function NextTimes({ cron, timezone }: { cron: string; timezone: string }) {
  const next = useNextTimes(useDeferredValue(cron), timezone);
  if (next.error !== null) return <p className="wrong small">{messageOf(next.error)}</p>;
  return (
    <section className="stack tight" aria-label="Next runs">
      <h3>Next runs</h3>
      <ol className="next-times small">
        {(next.data ?? []).map((time) => (
          <li key={time}>
            <time dateTime={time}>{dateTimeIn(time, timezone)}</time>
          </li>
        ))}
      </ol>
    </section>
  );
}

function sentence(text: string): string {
  return `${text[0]?.toUpperCase() ?? ""}${text.slice(1)}`;
}

/** All zones that the browser knows; one that it does not know stays selectable. */
function timeZones(current: string): { value: string; label: string }[] {
  const known = Intl.supportedValuesOf("timeZone");
  return [...new Set(["UTC", current, ...known])].map((zone) => ({
    value: zone,
    label: zone.replaceAll("_", " "),
  }));
}
