import { useState } from "react";
import type { FieldProblems } from "../../../contract/input/check-input.ts";
import type { InputSchema } from "../../../contract/input/input-field.ts";
import { type FormValues, inputOf, valuesOf } from "../../flow/input-values.ts";
import { TextField } from "../../ui/field.tsx";
import { parseJson } from "../../ui/parse-json.ts";
import { Segments } from "../../ui/segments.tsx";
import { InputFields } from "./input-fields.tsx";

export type InputEditorState = ReturnType<typeof useInputEditor>;

/** The input of a run, edited as a form when the workflow has input fields, or as JSON. */
export function useInputEditor(schema: InputSchema | undefined, initial: unknown) {
  const fields = Object.keys(schema?.properties ?? {}).length > 0 ? schema : undefined;
  const [mode, setMode] = useState<"form" | "json">(fields === undefined ? "json" : "form");
  const [values, setValues] = useState<FormValues>(() =>
    fields === undefined ? {} : valuesOf(fields, initial),
  );
  const [text, setText] = useState(() => JSON.stringify(initial ?? {}, null, 2));
  const [problems, setProblems] = useState<FieldProblems>({});
  const json = parseJson(text);

  function load(input: unknown): void {
    if (fields !== undefined) setValues(valuesOf(fields, input));
    setText(JSON.stringify(input ?? {}, null, 2));
    setProblems({});
  }

  return {
    fields,
    mode: fields === undefined ? ("json" as const) : mode,
    switchTo(next: "form" | "json"): void {
      if (fields === undefined || next === mode) return;
      if (next === "json") setText(JSON.stringify(inputOf(fields, values).input, null, 2));
      else if (json.error === undefined) setValues(valuesOf(fields, json.value));
      setProblems({});
      setMode(next);
    },
    values,
    setValues,
    text,
    setText,
    jsonError: json.error,
    problems,
    load,
    /** The entered input; undefined when it has problems, which are shown. */
    read(): { input: unknown } | undefined {
      if (fields === undefined || mode === "json")
        return json.error === undefined ? { input: json.value } : undefined;
      const { input, problems: found } = inputOf(fields, values);
      setProblems(found);
      return Object.keys(found).length === 0 ? { input } : undefined;
    },
    /** Shows the problems that the service found. */
    showProblems: setProblems,
  };
}

interface InputEditorProps {
  editor: InputEditorState;
  rows?: number;
  hint?: string | undefined;
}

export function InputEditor({ editor, rows = 8, hint }: InputEditorProps) {
  const { fields, mode } = editor;
  return (
    <>
      {fields !== undefined && (
        <div className="input-mode">
          <Segments
            label="Input as"
            value={mode}
            onChange={editor.switchTo}
            options={[
              { value: "form", label: "Form" },
              { value: "json", label: "JSON" },
            ]}
          />
        </div>
      )}
      {fields !== undefined && mode === "form" ? (
        <InputFields
          schema={fields}
          values={editor.values}
          onChange={editor.setValues}
          problems={editor.problems}
        />
      ) : (
        <TextField
          label="Input (JSON)"
          mono
          rows={rows}
          value={editor.text}
          onChange={editor.setText}
          error={editor.jsonError}
          hint={hint}
        />
      )}
    </>
  );
}
