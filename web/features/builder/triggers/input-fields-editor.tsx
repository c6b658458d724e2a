import {
  fieldKinds,
  fieldsOf,
  learnFields,
  type NamedField,
  withFields,
} from "../../../flow/input-schema-edit.ts";
import { pathSegment } from "../../../flow/pickable-values.ts";
import { showToast } from "../../../ui/toasts.tsx";
import { FieldList } from "../fields/field-list.tsx";
import type { BuilderState } from "../use-builder.ts";

interface InputFieldsEditorProps {
  builder: BuilderState;
  /** A real input to learn fields from, such as the last delivery; by default the input of the last run. */
  learnFrom?: { label: string; input: unknown } | undefined;
}

/** The input fields of the draft. They make the run form, the form page, the checks of calls and agents' tools. */
export function InputFieldsEditor({ builder, learnFrom }: InputFieldsEditorProps) {
  const { draft, edit } = builder.history;
  const fields = fieldsOf(draft.inputSchema);
  const source = learnFrom ?? { label: "last run", input: builder.known.input };

  function change(next: readonly NamedField[], tag?: string): void {
    edit((before) => {
      const inputSchema = withFields(before.inputSchema, next);
      const { inputSchema: _before, ...rest } = before;
      return inputSchema === undefined ? rest : { ...rest, inputSchema };
    }, tag);
  }
  function learn(): void {
    const learned = learnFields(fields, source.input);
    if (learned.length === fields.length) return showToast(`The ${source.label} has no new fields.`);
    change(learned);
  }

  return (
    <FieldList
      title="Input fields"
      aside={
        source.input !== undefined && (
          <button type="button" className="btn ghost tiny" onClick={learn}>
            Learn from {source.label}
          </button>
        )
      }
      fields={fields}
      onChange={change}
      kinds={fieldKinds}
      referenceTo={(name) => `{{input${pathSegment(name)}}}`}
    />
  );
}
