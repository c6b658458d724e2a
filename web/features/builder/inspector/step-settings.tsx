import { Suspense, useState } from "react";
import type { Problem } from "../../../../contract/graph.ts";
import { findStepType } from "../../../../contract/steps/catalogue.ts";
import { updateStep } from "../../../flow/draft.ts";
import { fieldProblem, generalProblems } from "../../../flow/field-problems.ts";
import { type FormField, formFields, settingFields } from "../../../flow/form-fields.ts";
import { describeLimits, describeLines, describeRetries } from "../../../flow/policy-summary.ts";
import { lazyComponent } from "../../../ui/lazy-component.ts";
import { Segments } from "../../../ui/segments.tsx";
import { CodeField } from "../code/code-field.tsx";
import { focusField } from "../panel-focus.ts";
import { FieldControl, FieldInput } from "./field-input.tsx";
import { McpField, mcpServerOf } from "./mcp-fields.tsx";
import { ReferenceName } from "./reference-name.tsx";
import { SettingField } from "./setting-field.tsx";
import { SettingsSection } from "./settings-section.tsx";
import { StepEdges } from "./step-edges.tsx";
import { type Suggestions, suggestionsFor } from "./suggestions.ts";
import type { StepData } from "./use-step-data.ts";

const AppStepFields = lazyComponent(() => import("../apps/app-step-fields.tsx"), "AppStepFields");
const ConnectionField = lazyComponent(() => import("../apps/connection-field.tsx"), "ConnectionField");
const DataPreview = lazyComponent(() => import("./data-preview.tsx"), "DataPreview");

interface StepSettingsProps {
  data: StepData;
  suggestions: Suggestions;
  onOpenEdge: (edge: string) => void;
  onRename: (from: string, to: string) => void;
}

/** The settings of a step, generated from the definition of its type: required first, the rest on request. */
export function StepSettings({ data, suggestions, onOpenEdge, onRename }: StepSettingsProps) {
  const { step, graph, edit, problems } = data;
  const [added, setAdded] = useState<ReadonlySet<string>>(new Set());
  const type = findStepType(step.type);
  const { shown, addable, choice } = settingFields(step, added);
  const set = (name: string, value: unknown): void =>
    edit((now) => updateStep(now, step.stepId, { [name]: value }), `${step.stepId}.${name}`);
  const propsOf = (field: FormField) => ({
    field,
    value: step[field.name],
    onChange: (value: unknown) => set(field.name, value),
    error: fieldProblem(problems, field.name),
    literal: type?.literalFields.has(field.name) ?? false,
    suggestions: suggestionsFor(suggestions, field.name),
  });
  const input = (field: FormField) => {
    if (field.before !== undefined) return null;
    if (field.kind === "steps")
      return (
        <p key={field.name} className="small muted">
          The steps inside this container run for each item. Add them on the canvas.
        </p>
      );
    if (field.kind === "code")
      return (
        <div key={`${step.stepId}.${field.name}`} className="field-slot" data-field={field.name}>
          <CodeField
            label={field.label}
            hint={field.hint}
            error={fieldProblem(problems, field.name)}
            value={typeof step[field.name] === "string" ? (step[field.name] as string) : ""}
            onChange={(value) => set(field.name, value)}
            result={data.result}
          />
        </div>
      );
    if (field.name === "connection")
      return (
        <div key={field.name} className="field-slot" data-field={field.name}>
          <Suspense fallback={null}>
            <ConnectionField {...propsOf(field)} step={step} />
          </Suspense>
        </div>
      );
    const first = shown.find(({ before }) => before === field.name);
    const serverId = mcpServerOf(step, field);
    if (first === undefined)
      return (
        <div key={field.name} className="field-slot" data-field={field.name}>
          {serverId === undefined ? (
            <FieldInput {...propsOf(field)} />
          ) : (
            <McpField {...propsOf(field)} step={step} serverId={serverId} />
          )}
        </div>
      );
    return (
      <div key={field.name} className="setting-pair">
        <SettingField label={first.label} stacked>
          {(ids) => <FieldControl {...propsOf(first)} ids={ids} />}
        </SettingField>
        <SettingField label={field.label} hint={field.hint} error={propsOf(field).error} stacked>
          {(ids) => <FieldControl {...propsOf(field)} ids={ids} />}
        </SettingField>
      </div>
    );
  };
  const sectionFields = (section: FormField["section"]) =>
    formFields(step.type).filter((field) => field.section === section);
  const section = (name: FormField["section"], title: string, summary: string) =>
    sectionFields(name).length > 0 && (
      <SettingsSection title={title} summary={summary}>
        {sectionFields(name).map((field) => (
          <FieldInput key={field.name} {...propsOf(field)} />
        ))}
      </SettingsSection>
    );
  const incoming = graph.edges.filter((edge) => edge.target === step.stepId).length;
  return (
    <div className="step-settings">
      <ProblemNotice problems={generalProblems(problems, step)} />
      {choice.length > 1 && (
        <Segments
          label="Use"
          value={(shown.find((field) => choice.includes(field)) ?? choice[0]!).name}
          onChange={(name) => {
            setAdded(new Set([name]));
            edit((now) =>
              updateStep(
                now,
                step.stepId,
                Object.fromEntries(
                  choice.filter((field) => field.name !== name).map((field) => [field.name, undefined]),
                ),
              ),
            );
          }}
          options={choice.map(({ name, label }) => ({ value: name, label }))}
        />
      )}
      {step.type === "app" ? (
        <Suspense fallback={null}>
          <AppStepFields step={step} problems={problems} set={set} />
        </Suspense>
      ) : (
        shown.map(input)
      )}
      {step.type !== "app" && addable.length > 0 && (
        <div className="add-fields" role="group" aria-label="Add field">
          <span className="muted small">Add field</span>
          {addable.map((field) => (
            <button
              key={field.name}
              type="button"
              className="add-setting"
              title={field.hint}
              onClick={() => {
                setAdded(new Set([...added, field.name]));
                focusField(field.name);
              }}
            >
              + {field.label}
            </button>
          ))}
        </div>
      )}
      {step.type === "data" && (
        <Suspense fallback={null}>
          <DataPreview step={step} />
        </Suspense>
      )}
      <div className="setting-sections">
        {section("error", "On error", describeRetries(step))}
        {section("limits", "Limits", describeLimits(step))}
        {(incoming > 1 || step["join"] !== undefined || step["onParentEnd"] !== undefined) &&
          section("lines", "Lines", describeLines(step))}
        <ReferenceName key={step.stepId} step={step} graph={graph} onRename={onRename} />
        <SettingsSection title="Next steps" summary={nextSummary(data)}>
          <StepEdges draft={graph} stepId={step.stepId} edit={edit} onOpen={onOpenEdge} />
        </SettingsSection>
      </div>
    </div>
  );
}

function nextSummary({ graph, step }: StepData): string {
  const count = graph.edges.filter((edge) => edge.source === step.stepId).length;
  return count === 0 ? "None" : `${count} ${count === 1 ? "line" : "lines"}`;
}

function ProblemNotice({ problems }: { problems: readonly Problem[] }) {
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
