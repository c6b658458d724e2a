import { useState } from "react";
import type { Step } from "../../../../contract/graph.ts";
import { answerFields, answerKinds, withAnswerFields } from "../../../flow/answer-schema.ts";
import { pathSegment } from "../../../flow/pickable-values.ts";
import { FieldList } from "../fields/field-list.tsx";
import { FieldControl, type FieldInputProps } from "./field-input.tsx";
import { SettingField } from "./setting-field.tsx";

/** The shape of a model's answer: a list of fields, or a JSON Schema when it is more than that. */
export function AnswerSchemaField({ step, ...props }: FieldInputProps & { step: Step }) {
  const { field, value, onChange, error } = props;
  const [isJson, setJson] = useState(false);
  const fields = answerFields(value);
  if (fields === undefined || isJson)
    return (
      <SettingField
        label={field.label}
        hint={field.hint}
        error={error}
        stacked
        aside={
          fields !== undefined && (
            <button type="button" className="btn ghost tiny" onClick={() => setJson(false)}>
              Edit as fields
            </button>
          )
        }
      >
        {(ids) => <FieldControl {...props} ids={ids} />}
      </SettingField>
    );
  return (
    <FieldList
      title="Answer fields"
      aside={
        <button type="button" className="btn ghost tiny" onClick={() => setJson(true)}>
          Edit as JSON
        </button>
      }
      fields={fields}
      onChange={(next) => onChange(withAnswerFields(value, next))}
      kinds={answerKinds}
      isAnswer
      referenceTo={(name) => `{{steps.${step.stepId}.output${pathSegment(name)}}}`}
    />
  );
}
