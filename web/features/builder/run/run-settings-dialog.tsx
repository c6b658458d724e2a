import { useState } from "react";
import { ApiError } from "../../../api/api-error.ts";
import { useErrorWorkflow } from "../../../api/error-workflow.ts";
import type { Workflow } from "../../../api/types.ts";
import { saveRunSettings, useWorkflowMutation } from "../../../api/workflows.ts";
import {
  type OnConnectionProblem,
  refusedRunSettings,
  runSettingsForm,
  type RunSettingsForm,
  runSettingsInput,
  runSettingsProblems,
  type WhenFull,
} from "../../../flow/run-settings.ts";
import { SelectField, TextField } from "../../../ui/field.tsx";
import { FormDialog } from "../../../ui/form-dialog.tsx";
import { NumberField } from "../../../ui/number-field.tsx";
import { WorkflowSelect } from "../../workflows/workflow-select.tsx";

const WHEN_FULL: readonly { value: WhenFull; label: string; hint: string }[] = [
  { value: "queue", label: "Wait", hint: "A new run starts when another one ends." },
  { value: "skip", label: "Skip the new run", hint: "The caller receives the error run_skipped." },
  {
    value: "replace",
    label: "Cancel the oldest run",
    hint: "The new run starts at once, and the oldest one is cancelled.",
  },
];

const ON_CONNECTION_PROBLEM: readonly { value: OnConnectionProblem; label: string; hint: string }[] = [
  { value: "fail", label: "Fail", hint: "The step fails; rerun it after the repair." },
  {
    value: "wait",
    label: "Wait for the repair",
    hint: "The step waits up to 24 hours and goes on as soon as the connection works again.",
  },
];

/** Limits of the runs, and what follows a failure. They apply at once: they belong to no version. */
export function RunSettingsDialog({ workflow, onClose }: { workflow: Workflow; onClose: () => void }) {
  const [form, setForm] = useState(() => runSettingsForm(workflow.settings));
  const [isChecked, setChecked] = useState(false);
  const save = useWorkflowMutation(() => saveRunSettings(workflow.id, runSettingsInput(form)), onClose);
  const ownProblems = runSettingsProblems(form);
  const refused =
    save.error instanceof ApiError ? refusedRunSettings(save.error.code, save.error.body["details"]) : {};
  const problems = { ...refused, ...(isChecked ? ownProblems : {}) };
  function change(next: Partial<RunSettingsForm>): void {
    save.reset();
    setForm({ ...form, ...next });
  }
  return (
    <FormDialog
      title="Run settings"
      onClose={onClose}
      submit="Save"
      action={{
        isPending: save.isPending,
        error: Object.keys(refused).length === 0 ? save.error : null,
        mutate() {
          setChecked(true);
          if (Object.keys(ownProblems).length === 0) save.mutate(undefined);
        },
      }}
    >
      <p className="small muted">They apply to new runs of every version, without publishing.</p>
      <TextField
        label="Time limit of a run"
        value={form.timeout}
        onChange={(timeout) => change({ timeout })}
        placeholder="No limit"
        hint="Such as 30 s, 5 min or 2 h. A run that takes longer fails; waiting counts."
        error={problems.timeout}
      />
      <ErrorWorkflowField
        workflowId={workflow.id}
        value={form.errorWorkflowId}
        onChange={(errorWorkflowId) => change({ errorWorkflowId })}
        error={problems.errorWorkflowId}
      />
      <SelectField
        label="When a connection stops working"
        value={form.onConnectionProblem}
        onChange={(value) => change({ onConnectionProblem: value as OnConnectionProblem })}
        options={ON_CONNECTION_PROBLEM}
        hint={ON_CONNECTION_PROBLEM.find(({ value }) => value === form.onConnectionProblem)?.hint}
      />
      <NumberField
        label="Runs at the same time"
        value={form.limit}
        onChange={(limit) => change({ limit })}
        placeholder="No limit"
        hint="Runs that have not ended, at most."
        error={problems.limit}
      />
      {form.limit !== null && (
        <>
          <TextField
            label="Counted separately for each"
            mono
            value={form.key}
            onChange={(key) => change({ key })}
            placeholder="{{input.customer}}"
            hint="Runs with the same value count together. Empty: all runs do."
            error={problems.key}
          />
          <SelectField
            label="When the limit is reached"
            value={form.whenFull}
            onChange={(whenFull) => change({ whenFull: whenFull as WhenFull })}
            options={WHEN_FULL}
            hint={WHEN_FULL.find(({ value }) => value === form.whenFull)?.hint}
          />
        </>
      )}
    </FormDialog>
  );
}

interface ErrorWorkflowFieldProps {
  workflowId: string;
  value: string;
  onChange: (workflowId: string) => void;
  error: string | undefined;
}

function ErrorWorkflowField({ workflowId, ...field }: ErrorWorkflowFieldProps) {
  const accountDefault = useErrorWorkflow().data;
  const hasDefault = typeof accountDefault === "string" && accountDefault !== workflowId;
  return (
    <WorkflowSelect
      label="Error workflow"
      emptyOption={hasDefault ? "That of the account" : "None"}
      except={workflowId}
      hint="Runs when a run of this workflow fails, with the failed run as input."
      {...field}
    />
  );
}
