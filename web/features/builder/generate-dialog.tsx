import { Sparkles } from "lucide-react";
import { useState } from "react";
import type { ProposedTrigger } from "../../../contract/generation.ts";
import type { Graph, Workflow } from "../../api/types.ts";
import {
  createFromDraft,
  createWorkflow,
  failedDraftOf,
  type GeneratedWorkflow,
  generateWorkflow,
  useWorkflowMutation,
} from "../../api/workflows.ts";
import { describeCron } from "../../flow/describe-cron.ts";
import { TRIGGER_CHOICES } from "../../flow/trigger-choices.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { TextField } from "../../ui/field.tsx";
import { Failure } from "../../ui/states.tsx";
import { showToast } from "../../ui/toasts.tsx";
import { ReadOnlyCanvas } from "../canvas/read-only-canvas.tsx";
import "./builder.css";

const EXAMPLE =
  "Fetch https://example.com/orders every time I run it, ask me for approval, then write the result to orders.json";

interface GenerateDialogProps {
  initialPrompt?: string;
  onClose: () => void;
  /** With the proposed trigger, when its form is to be opened. */
  onCreated?: (workflow: Workflow, trigger?: ProposedTrigger) => void;
  /** Adds the generated steps to an open draft instead of creating a workflow. */
  onUse?: (graph: Graph, trigger?: ProposedTrigger) => void;
}

/** Turns a description into a graph and previews it. Nothing is saved before "Create", and nothing runs. */
export function GenerateDialog({ initialPrompt = "", onClose, onCreated, onUse }: GenerateDialogProps) {
  const [prompt, setPrompt] = useState(initialPrompt);
  const [preview, setPreview] = useState<GeneratedWorkflow>();
  const openDraft = useWorkflowMutation(createFromDraft, (workflow) => {
    showToast("The description left problems. They are marked in the draft.");
    onClose();
    onCreated?.(workflow);
  });
  const generate = useWorkflowMutation(generateWorkflow, setPreview);
  const create = useWorkflowMutation(({ workflow }: GeneratedWorkflow) =>
    createWorkflow({ name: workflow.name, metadata: workflow.metadata }),
  );
  function use(generated: GeneratedWorkflow, trigger?: ProposedTrigger): void {
    if (onUse === undefined)
      return create.mutate(generated, {
        onSuccess(workflow) {
          onClose();
          onCreated?.(workflow, trigger);
        },
      });
    onClose();
    onUse(generated.workflow.metadata, trigger);
  }
  const error = openDraft.isPending ? null : (openDraft.error ?? generate.error ?? create.error);
  return (
    <Dialog title="Generate workflow" onClose={onClose} wide>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          generate.mutate(prompt.trim() === "" ? EXAMPLE : prompt, {
            onError: (failure) => {
              const draft = onUse === undefined ? failedDraftOf(failure) : undefined;
              if (draft !== undefined) openDraft.mutate(draft);
            },
          });
        }}
      >
        <TextField
          label="Describe the workflow"
          rows={3}
          value={prompt}
          onChange={setPrompt}
          placeholder={EXAMPLE}
        />
        {error !== null && <Failure error={error} />}
        <div className="actions">
          <button
            type="submit"
            className={preview === undefined ? "btn go" : "btn"}
            disabled={generate.isPending}
          >
            <Sparkles size={14} />{" "}
            {generate.isPending ? "Generating…" : preview === undefined ? "Generate preview" : "Regenerate"}
          </button>
        </div>
      </form>
      {preview !== undefined && (
        <Preview
          generated={preview}
          isCreating={create.isPending}
          createLabel={onUse === undefined ? "Create" : "Add to the workflow"}
          onCreate={(trigger) => use(preview, trigger)}
        />
      )}
    </Dialog>
  );
}

interface PreviewProps {
  generated: GeneratedWorkflow;
  isCreating: boolean;
  createLabel: string;
  onCreate: (trigger?: ProposedTrigger) => void;
}

function Preview({ generated, isCreating, createLabel, onCreate }: PreviewProps) {
  const { workflow, warnings, trigger, generatedBy } = generated;
  const choice = TRIGGER_CHOICES.find(({ kind }) => kind === trigger?.kind);
  return (
    <>
      <div className="preview">
        <ReadOnlyCanvas key={JSON.stringify(workflow.metadata)} graph={workflow.metadata} label="Preview" />
      </div>
      {warnings.length > 0 && (
        <p className="small muted">{warnings.map(({ message }) => message).join(" ")}</p>
      )}
      {trigger !== undefined && choice !== undefined && (
        <div className="notice row wrap">
          <span className="grow breakable">
            “{trigger.text}” asks for a trigger: <b>{choice.label}</b>
            {trigger.cron !== undefined && ` · ${describeCron(trigger.cron) ?? trigger.cron}`}
          </span>
          <button type="button" className="btn tiny" disabled={isCreating} onClick={() => onCreate(trigger)}>
            {createLabel} and set up {choice.label.toLowerCase()}
          </button>
        </div>
      )}
      <div className="actions">
        <span className="small muted grow">
          “{workflow.name}” · generated by {generatedBy === "builtin" ? "the built-in planner" : generatedBy}
        </span>
        <button type="button" className="btn go" disabled={isCreating} onClick={() => onCreate()}>
          {createLabel}
        </button>
      </div>
    </>
  );
}
