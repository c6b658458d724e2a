import { useEffect, useMemo, useState } from "react";
import type { Problem, Step } from "../../../../contract/graph.ts";
import { describeStepTypes, findStepType } from "../../../../contract/steps/catalogue.ts";
import { type Draft, renameStep, updateStep } from "../../../flow/draft.ts";
import { type FormField, formFields } from "../../../flow/form-fields.ts";
import { pathSegment } from "../../../flow/pickable-values.ts";
import { TextField } from "../../../ui/field.tsx";
import type { PickValue } from "../placeholders/value-picker.tsx";
import type { Edit } from "../use-draft.ts";
import { FieldInput } from "./field-input.tsx";
import { StepEdges } from "./step-edges.tsx";
import { type Suggestions, suggestionsFor } from "./suggestions.ts";

const fieldsByType = new Map(describeStepTypes().map((entry) => [entry.type, formFields(entry.schema)]));
const noFields = { settings: [], policy: [] };

interface StepFormProps {
  /** The graph that contains the step: the workflow, or the inside of a loop. */
  draft: Draft;
  step: Step;
  edit: Edit;
  problems: readonly Problem[];
  suggestions: Suggestions;
  onPick: PickValue;
  onOpenEdge: (edge: string) => void;
  onRenamed: (stepId: string) => void;
  part: "settings" | "policy";
}

/** The form of a step, generated from the schema of its type. */
export function StepForm(props: StepFormProps) {
  const { draft, step, edit, problems, suggestions, onPick, part } = props;
  const type = findStepType(step.type);
  const fields = fieldsByType.get(type?.type ?? "") ?? noFields;
  const set = (name: string, value: unknown): void =>
    edit((now) => updateStep(now, step.stepId, { [name]: value }), `${step.stepId}.${name}`);
  const ownProblems = problems.filter(({ stepId }) => stepId === step.stepId);
  // The validator quotes the field it complains about.
  const problemOf = (name: string): string | undefined =>
    ownProblems.find(({ message }) => message.includes(`"${name}"`))?.message;
  const input = (field: FormField) =>
    // The steps of a loop are nodes on the canvas.
    field.kind === "steps" ? null : (
      <FieldInput
        key={`${step.stepId}.${field.name}`}
        field={field}
        value={step[field.name]}
        onChange={(value) => set(field.name, value)}
        onPick={onPick}
        literal={type?.literalFields.has(field.name) ?? false}
        error={problemOf(field.name)}
        suggestions={suggestionsFor(suggestions, field.name)}
      />
    );
  if (part === "policy") return <>{fields.policy.map(input)}</>;
  return (
    <>
      <TextField
        label="Title"
        value={typeof step["name"] === "string" ? step["name"] : ""}
        onChange={(name) => set("name", name === "" ? undefined : name)}
      />
      <StepIdField draft={draft} stepId={step.stepId} edit={edit} onRenamed={props.onRenamed} />
      {type !== undefined && <p className="small muted">{type.description}</p>}
      {fields.settings.map(input)}
      <StepEdges draft={draft} stepId={step.stepId} edit={edit} onOpen={props.onOpenEdge} />
    </>
  );
}

export function ProblemNotice({ problems }: { problems: readonly Problem[] }) {
  if (problems.length === 0) return null;
  return (
    <div className="notice bad" role="alert">
      <ul className="plain-list">
        {problems.map((problem, index) => (
          <li key={index}>{problem.message}</li>
        ))}
      </ul>
    </div>
  );
}

interface StepIdFieldProps {
  draft: Draft;
  stepId: string;
  edit: Edit;
  onRenamed: (stepId: string) => void;
}

/** Renames on blur: a rename per keystroke would rewrite the placeholders of all other steps each time. */
function StepIdField({ draft, stepId, edit, onRenamed }: StepIdFieldProps) {
  const [text, setText] = useState(stepId);
  useEffect(() => setText(stepId), [stepId]);
  const isTaken = useMemo(
    () => text !== stepId && draft.steps.some((step) => step.stepId === text),
    [draft, stepId, text],
  );
  const error = isTaken ? "Another step uses this ID." : text === "" ? "Enter an ID." : undefined;
  return (
    <div
      onBlur={() => {
        if (error !== undefined || text === stepId) return setText(stepId);
        edit((now) => renameStep(now, stepId, text));
        onRenamed(text);
      }}
    >
      <TextField
        label="Step ID"
        mono
        value={text}
        onChange={setText}
        error={error}
        hint={`Used in placeholders: {{steps${pathSegment(stepId)}.output}}`}
      />
    </div>
  );
}
