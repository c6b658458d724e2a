import { Suspense } from "react";
import { findStepType } from "../../../../contract/steps/catalogue.ts";
import { updateStep } from "../../../flow/draft.ts";
import { fieldProblem } from "../../../flow/field-problems.ts";
import type { FormField } from "../../../flow/form-fields.ts";
import { lazyComponent } from "../../../ui/lazy-component.ts";
import { CodeField } from "../code/code-field.tsx";
import { DataField } from "../data-fields/data-field.tsx";
import { AgentField } from "./agent-field.tsx";
import { FieldControl, FieldInput, type FieldInputProps } from "./field-input.tsx";
import { McpField, mcpServerOf } from "./mcp-fields.tsx";
import { SettingField } from "./setting-field.tsx";
import { type Suggestions, suggestionsFor } from "./suggestions.ts";
import type { StepData } from "./use-step-data.ts";

const AnswerSchemaField = lazyComponent(() => import("./answer-schema-field.tsx"), "AnswerSchemaField");
const ConnectionField = lazyComponent(() => import("../apps/connection-field.tsx"), "ConnectionField");

export function setStepField({ edit, step }: StepData, name: string, value: unknown): void {
  edit((now) => updateStep(now, step.stepId, { [name]: value }), `${step.stepId}.${name}`);
}

/** What the control of a field needs to show and change its value in a step. */
export function fieldProps(field: FormField, data: StepData, suggestions: Suggestions): FieldInputProps {
  const { step, problems } = data;
  return {
    field,
    value: step[field.name],
    onChange: (value) => setStepField(data, field.name, value),
    error: fieldProblem(problems, field.name),
    literal: findStepType(step.type)?.literalFields.has(field.name) ?? false,
    suggestions: suggestionsFor(suggestions, field.name),
  };
}

interface StepFieldProps {
  field: FormField;
  /** The field that shares the row and is shown first. */
  first: FormField | undefined;
  data: StepData;
  suggestions: Suggestions;
}

/** One field of the settings of a step, with the control of its kind. */
export function StepField({ field, first, data, suggestions }: StepFieldProps) {
  const props = fieldProps(field, data, suggestions);
  if (field.kind === "steps")
    return (
      <p className="small muted">
        The steps inside this container run for each item. Add them on the canvas.
      </p>
    );
  if (first !== undefined)
    return (
      <div className="setting-pair">
        <SettingField label={first.label} stacked>
          {(ids) => <FieldControl {...fieldProps(first, data, suggestions)} ids={ids} />}
        </SettingField>
        <SettingField label={field.label} hint={field.hint} error={props.error} stacked>
          {(ids) => <FieldControl {...props} ids={ids} />}
        </SettingField>
      </div>
    );
  return (
    <div className="field-slot" data-field={field.name}>
      <SingleField {...props} data={data} />
    </div>
  );
}

function SingleField({ data, ...props }: FieldInputProps & { data: StepData }) {
  const { field, value } = props;
  const { step } = data;
  if (field.kind === "code")
    return (
      <CodeField
        key={step.stepId}
        label={field.label}
        hint={field.hint}
        error={props.error}
        value={typeof value === "string" ? value : ""}
        onChange={props.onChange}
        result={data.result}
      />
    );
  if (field.name === "connection")
    return (
      <Suspense fallback={null}>
        <ConnectionField {...props} step={step} />
      </Suspense>
    );
  if (field.name === "schema")
    return (
      <Suspense fallback={null}>
        <AnswerSchemaField {...props} step={step} />
      </Suspense>
    );
  if (field.name === "agentId") return <AgentField {...props} />;
  if (step.type === "data") return <DataField {...props} step={step} />;
  const serverId = mcpServerOf(step, field);
  if (serverId !== undefined) return <McpField {...props} step={step} serverId={serverId} />;
  return <FieldInput {...props} />;
}
