import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "../../api/client.ts";
import { useWorkflows } from "../../api/workflows.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { Field, TextField } from "../../ui/field.tsx";
import { readJson } from "../../ui/read-json.ts";
import { Failure } from "../../ui/states.tsx";

const PRESETS: readonly (readonly [string, string])[] = [
  ["0 8 * * *", "Every day at 8"],
  ["0 8 * * 1-5", "Every working day at 8"],
  ["*/15 * * * *", "Every quarter of an hour"],
  ["0 9 1 * *", "On the first of each month at 9"],
];

export function ScheduleDialog({ onClose }: { onClose: () => void }) {
  const client = useQueryClient();
  const workflows = useWorkflows().data ?? [];
  const [workflowId, setWorkflowId] = useState("");
  const [cron, setCron] = useState(PRESETS[0]?.[0] ?? "");
  const [timezone, setTimezone] = useState(Intl.DateTimeFormat().resolvedOptions().timeZone);
  const [text, setText] = useState("{}");
  const input = readJson(text);
  const create = useMutation({
    mutationFn: () => call("/api/schedules", { body: { workflowId, cron, timezone, input: input.value } }),
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: ["schedules"] });
      onClose();
    },
  });
  return (
    <Dialog title="New schedule" onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (input.wrong === undefined) create.mutate();
        }}
      >
        <Field label="Workflow">
          {(ids) => (
            <select
              className="in"
              {...ids}
              required
              value={workflowId}
              onChange={(event) => setWorkflowId(event.target.value)}
            >
              <option value="">Choose what to run</option>
              {workflows.map((workflow) => (
                <option key={workflow.id} value={workflow.id}>
                  {workflow.name}
                </option>
              ))}
            </select>
          )}
        </Field>
        <Field label="How often">
          {(ids) => (
            <select
              className="in"
              {...ids}
              value={PRESETS.some(([preset]) => preset === cron) ? cron : ""}
              onChange={(event) => setCron(event.target.value)}
            >
              <option value="">As written below</option>
              {PRESETS.map(([preset, words]) => (
                <option key={preset} value={preset}>
                  {words}
                </option>
              ))}
            </select>
          )}
        </Field>
        <TextField
          label="As cron"
          mono
          required
          value={cron}
          onChange={setCron}
          hint="Minute, hour, day, month, weekday."
        />
        <TextField label="Time zone" required value={timezone} onChange={setTimezone} />
        <TextField label="Input (JSON)" mono rows={2} value={text} onChange={setText} wrong={input.wrong} />
        {create.error !== null && <Failure error={create.error} />}
        <div className="actions">
          <button type="submit" className="btn go" disabled={create.isPending}>
            Make the schedule
          </button>
        </div>
      </form>
    </Dialog>
  );
}
