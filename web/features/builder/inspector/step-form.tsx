import { useEffect, useMemo, useState } from "react";
import type { Problem, Step } from "../../../../contract/graph.ts";
import { describeStepTypes, findStepType } from "../../../../contract/steps/catalogue.ts";
import { type Draft, renameStep, updateStep } from "../../../flow/draft.ts";
import { type FormField, formFields } from "../../../flow/form-fields.ts";
import { TextField } from "../../../ui/field.tsx";
import { FieldInput } from "./field-input.tsx";
import { InnerSteps } from "./inner-steps.tsx";
import type { PickValue } from "../placeholders/pick-value.ts";
import { StepEdges } from "./step-edges.tsx";
import { type Suggestions, suggestionsFor } from "./suggestions.ts";
import type { Edit } from "../use-draft.ts";

const schemas = new Map(describeStepTypes().map((entry) => [entry.type, formFields(entry.schema)]));
const noFields = { settings: [], policy: [] };

export interface StepFormProps {
  draft: Draft;
  step: Step;
  edit: Edit;
  problems: readonly Problem[];
  suggestions: Suggestions;
  onPick: PickValue;
  onOpenEdge: (edge: string) => void;
  onRenamed: (stepId: string) => void;
  part: "settings" | "policy";
  /** Inside a loop, where nothing around the form says what is wrong with this step. */
  nested?: boolean;
  /** Of a foreach: one of the items it went through the last time. */
  lastItem?: unknown;
}

/** The form of a step, made from the schema of its type; the steps inside a loop get the same one. */
export function StepForm(props: StepFormProps) {
  const { draft, step, edit, problems, suggestions, onPick, part } = props;
  const type = findStepType(step.type);
  const fields = schemas.get(type?.type ?? "") ?? noFields;
  const set = (name: string, value: unknown): void =>
    edit((now) => updateStep(now, step.stepId, { [name]: value }), `${step.stepId}.${name}`);
  const own = problems.filter(({ stepId }) => stepId === step.stepId);
  const wrongOf = (name: string): string | undefined =>
    own.find(({ message }) => message.includes(`"${name}"`))?.message;
  const input = (field: FormField) =>
    field.kind === "steps" ? (
      <InnerSteps
        key={field.name}
        step={step}
        edit={edit}
        label={field.label}
        hint={field.hint}
        wrong={wrongOf(field.name)}
        lastItem={props.lastItem}
        onPick={onPick}
        wrongSteps={new Set(problems.map(({ stepId }) => stepId))}
        form={(inner) => <StepForm {...inner} problems={problems} suggestions={suggestions} nested />}
      />
    ) : (
      <FieldInput
        key={`${step.stepId}.${field.name}`}
        field={field}
        value={step[field.name]}
        onChange={(value) => set(field.name, value)}
        onPick={onPick}
        literal={type?.literalFields.has(field.name) ?? false}
        wrong={wrongOf(field.name)}
        suggestions={suggestionsFor(suggestions, field.name)}
      />
    );
  if (part === "policy") return <>{fields.policy.map(input)}</>;
  return (
    <>
      {props.nested === true && <ProblemNotice problems={own} />}
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
