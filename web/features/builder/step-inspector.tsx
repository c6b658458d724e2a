import { Copy, FastForward, Trash2 } from "lucide-react";
import { useEffect, useMemo, useState } from "react";
import type { Problem, Step } from "../../../contract/graph.ts";
import { describeStepTypes, findStepType } from "../../../contract/steps/catalogue.ts";
import type { StepResult } from "../../api/types.ts";
import { type Draft, renameStep, updateStep } from "../../flow/draft.ts";
import { type FormField, formFields } from "../../flow/form-fields.ts";
import { stepTitle } from "../../flow/step-summary.ts";
import { TextField } from "../../ui/field.tsx";
import { JsonView } from "../../ui/json-view.tsx";
import { StatusChip } from "../../ui/status.tsx";
import { duration } from "../../ui/time.ts";
import { FieldInput } from "./field-input.tsx";
import { StepLinks } from "./step-links.tsx";
import { type Suggestions, suggestionsFor } from "./suggestions.ts";
import type { Edit } from "./use-draft.ts";

const schemas = new Map(describeStepTypes().map((entry) => [entry.type, formFields(entry.schema)]));
const noFields = { settings: [], policy: [] };

type Tab = "settings" | "last" | "policy";

export interface StepInspectorProps {
  draft: Draft;
  step: Step;
  edit: Edit;
  problems: readonly Problem[];
  lastResult: StepResult | undefined;
  suggestions: Suggestions;
  onPick: (insert: (placeholder: string) => void) => void;
  onOpenEdge: (edge: string) => void;
  onRemove: () => void;
  onCopy: () => void;
  onRunThis: () => void;
  onRenamed: (stepId: string) => void;
}

/** The form of a step, made from the schema of its type. */
export function StepInspector(props: StepInspectorProps) {
  const { draft, step, edit, problems, lastResult, suggestions, onPick } = props;
  const [tab, setTab] = useState<Tab>("settings");
  const type = findStepType(step.type);
  const fields = schemas.get(type?.type ?? "") ?? noFields;
  const own = problems.filter((problem) => problem.stepId === step.stepId);
  const set = (name: string, value: unknown): void =>
    edit((now) => updateStep(now, step.stepId, { [name]: value }), `${step.stepId}.${name}`);
  const input = (field: FormField) => (
    <FieldInput
      key={`${step.stepId}.${field.name}`}
      field={field}
      value={step[field.name]}
      onChange={(value) => set(field.name, value)}
      onPick={onPick}
      literal={type?.literalFields.has(field.name) ?? false}
      wrong={own.find(({ message }) => message.includes(`"${field.name}"`))?.message}
      suggestions={suggestionsFor(suggestions, field.name)}
    />
  );
  return (
    <div className="stack">
      <div>
        <div className="caps">{type?.title ?? step.type}</div>
        <h2>{stepTitle(step)}</h2>
      </div>
      <div className="row wrap">
        <button
          type="button"
          className="btn tiny"
          onClick={props.onRunThis}
          title="Run only this step, with what came before it in the last run"
        >
          <FastForward size={13} /> Run only this
        </button>
        <button type="button" className="btn tiny" onClick={props.onCopy}>
          <Copy size={13} /> Copy
        </button>
        <button type="button" className="btn tiny danger" onClick={props.onRemove}>
          <Trash2 size={13} /> Remove
        </button>
      </div>
      {own.length > 0 && (
        <div className="notice bad" role="alert">
          <ul className="plain-list">
            {own.map((problem, index) => (
              <li key={index}>{problem.message}</li>
            ))}
          </ul>
        </div>
      )}
      <div className="tabs" role="tablist" aria-label="Step">
        {(
          [
            ["settings", "Settings"],
            ["last", "Last run"],
            ["policy", "Retries"],
          ] as const
        ).map(([key, label]) => (
          <button key={key} type="button" role="tab" aria-selected={tab === key} onClick={() => setTab(key)}>
            {label}
          </button>
        ))}
      </div>
      <div role="tabpanel" aria-label={tab} className="stack">
        {tab === "settings" && (
          <>
            <TextField
              label="Title"
              value={typeof step["name"] === "string" ? step["name"] : ""}
              onChange={(name) => set("name", name === "" ? undefined : name)}
            />
            <StepIdField draft={draft} stepId={step.stepId} edit={edit} onRenamed={props.onRenamed} />
            {type !== undefined && <p className="small muted">{type.description}</p>}
            {fields.settings.map(input)}
            <StepLinks draft={draft} stepId={step.stepId} edit={edit} onOpen={props.onOpenEdge} />
          </>
        )}
        {tab === "policy" && fields.policy.map(input)}
        {tab === "last" && <LastResult result={lastResult} />}
      </div>
    </div>
  );
}

interface StepIdFieldProps {
  draft: Draft;
  stepId: string;
  edit: Edit;
  onRenamed: (stepId: string) => void;
}

/** Renamed when the person is done, because every letter would rewrite the placeholders of the other steps. */
function StepIdField({ draft, stepId, edit, onRenamed }: StepIdFieldProps) {
  const [text, setText] = useState(stepId);
  useEffect(() => setText(stepId), [stepId]);
  const taken = useMemo(
    () => text !== stepId && draft.steps.some((step) => step.stepId === text),
    [draft, stepId, text],
  );
  const wrong = taken ? "Another step has this name." : text === "" ? "A step needs a name." : undefined;
  return (
    <div
      onBlur={() => {
        if (wrong !== undefined || text === stepId) return setText(stepId);
        edit((now) => renameStep(now, stepId, text));
        onRenamed(text);
      }}
    >
      <TextField label="Name in placeholders" mono value={text} onChange={setText} wrong={wrong} />
    </div>
  );
}

function LastResult({ result }: { result: StepResult | undefined }) {
  if (result === undefined)
    return (
      <p className="small muted">
        This step has not run yet. Run the workflow, and what went in and came out stands here.
      </p>
    );
  return (
    <>
      <div className="row">
        <StatusChip status={result.status} />
        <span className="small muted">{duration(result.durationMs)}</span>
      </div>
      {result.error !== null && <div className="notice bad">{result.error.message}</div>}
      <div className="stack tight">
        <b className="small">Output</b>
        <JsonView value={result.output} />
      </div>
      <div className="stack tight">
        <b className="small">Input</b>
        <JsonView value={result.input} />
      </div>
    </>
  );
}
