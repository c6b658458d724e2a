import { Suspense, useState } from "react";
import type { Problem } from "../../../../contract/graph.ts";
import { updateStep } from "../../../flow/draft.ts";
import { generalProblems } from "../../../flow/field-problems.ts";
import { type FormField, formFields, settingFields } from "../../../flow/form-fields.ts";
import { describeLimits, describeLines, describeRetries } from "../../../flow/policy-summary.ts";
import { useIsReadOnly } from "../../../ui/allowed.tsx";
import { lazyComponent } from "../../../ui/lazy-component.ts";
import { Segments } from "../../../ui/segments.tsx";
import { focusField } from "../panel-focus.ts";
import { FieldInput } from "./field-input.tsx";
import { ReferenceName } from "./reference-name.tsx";
import { SettingsSection } from "./settings-section.tsx";
import { StepEdges } from "./step-edges.tsx";
import { fieldProps, setStepField, StepField } from "./step-field.tsx";
import type { Suggestions } from "./suggestions.ts";
import type { StepData } from "./use-step-data.ts";

const AppStepFields = lazyComponent(() => import("../apps/app-step-fields.tsx"), "AppStepFields");
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
  const { shown, addable, choice } = settingFields(step, added);
  return (
    <div className="step-settings">
      <ProblemNotice problems={generalProblems(problems, step)} />
      {choice.length > 1 && (
        <Segments
          label="Use"
          value={(shown.find((field) => choice.includes(field)) ?? choice[0]!).name}
          onChange={(name) => {
            const others = choice.filter((field) => field.name !== name);
            setAdded(new Set([name]));
            edit((now) =>
              updateStep(
                now,
                step.stepId,
                Object.fromEntries(others.map((other) => [other.name, undefined])),
              ),
            );
          }}
          options={choice.map(({ name, label }) => ({ value: name, label }))}
        />
      )}
      {step.type === "app" ? (
        <Suspense fallback={null}>
          <AppStepFields
            step={step}
            problems={problems}
            set={(name, value) => setStepField(data, name, value)}
          />
        </Suspense>
      ) : (
        <>
          {shown
            .filter((field) => field.before === undefined)
            .map((field) => (
              <StepField
                key={field.name}
                field={field}
                first={shown.find(({ before }) => before === field.name)}
                data={data}
                suggestions={suggestions}
              />
            ))}
          <AddFields
            fields={addable}
            onAdd={(name) => {
              setAdded(new Set([...added, name]));
              focusField(name);
            }}
          />
        </>
      )}
      {step.type === "data" && (
        <Suspense fallback={null}>
          <DataPreview step={step} />
        </Suspense>
      )}
      <div className="setting-sections">
        <PolicySections data={data} suggestions={suggestions} />
        <ReferenceName key={step.stepId} step={step} graph={graph} onRename={onRename} />
        <SettingsSection title="Next steps" summary={nextSummary(data)}>
          <StepEdges draft={graph} stepId={step.stepId} edit={edit} onOpen={onOpenEdge} />
        </SettingsSection>
      </div>
    </div>
  );
}

/** Optional fields that the step does not have yet. */
function AddFields({ fields, onAdd }: { fields: readonly FormField[]; onAdd: (name: string) => void }) {
  const isReadOnly = useIsReadOnly();
  if (fields.length === 0 || isReadOnly) return null;
  return (
    <div className="add-fields" role="group" aria-label="Add field">
      <span className="muted small">Add field</span>
      {fields.map((field) => (
        <button
          key={field.name}
          type="button"
          className="add-setting"
          title={field.hint}
          onClick={() => onAdd(field.name)}
        >
          + {field.label}
        </button>
      ))}
    </div>
  );
}

/** What happens on errors, how long a step may take, and how its incoming lines are joined. */
function PolicySections({ data, suggestions }: Pick<StepSettingsProps, "data" | "suggestions">) {
  const { step, graph } = data;
  const incoming = graph.edges.filter((edge) => edge.target === step.stepId).length;
  const section = (name: FormField["section"], title: string, summary: string) => {
    const fields = formFields(step.type).filter((field) => field.section === name);
    if (fields.length === 0) return null;
    return (
      <SettingsSection title={title} summary={summary}>
        {fields.map((field) => (
          <FieldInput key={field.name} {...fieldProps(field, data, suggestions)} />
        ))}
      </SettingsSection>
    );
  };
  return (
    <>
      {section("error", "On error", describeRetries(step))}
      {section("limits", "Limits", describeLimits(step))}
      {(incoming > 1 || step["join"] !== undefined || step["onParentEnd"] !== undefined) &&
        section("lines", "Lines", describeLines(step))}
    </>
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
