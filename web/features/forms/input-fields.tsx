import type { FieldProblems } from "../../../contract/input/check-input.ts";
import type { InputField, InputSchema } from "../../../contract/input/input-field.ts";
import { controlOf, type FormValues, isFileField, labelOf } from "../../flow/input-values.ts";
import { type ControlIds, Field } from "../../ui/field.tsx";
import "./input-fields.css";

interface InputFieldsProps {
  schema: InputSchema;
  values: FormValues;
  onChange: (values: FormValues) => void;
  problems: FieldProblems;
  /** With it, files are chosen from the disk; without it, their references are typed in as JSON. */
  onFiles?: (name: string, files: readonly File[]) => void;
}

/** One control for each field of an input schema. */
export function InputFields({ schema, values, onChange, problems, onFiles }: InputFieldsProps) {
  const required = schema.required ?? [];
  const fields = Object.entries(schema.properties ?? {});
  // Only the odd ones are marked.
  const marksRequired = required.length * 2 < fields.length;
  return fields.map(([name, field]) => (
    <InputControl
      key={name}
      name={name}
      field={field}
      required={required.includes(name)}
      mark={required.includes(name) === marksRequired ? (marksRequired ? "Required" : "Optional") : undefined}
      value={values[name] ?? ""}
      problem={problemOf(name, problems)}
      onChange={(value) => onChange({ ...values, [name]: value })}
      onFiles={onFiles && isFileField(field) ? (files) => onFiles(name, files) : undefined}
    />
  ));
}

/** The problem of the field, or the first inside it: `tags[2]`, `address.city`. */
function problemOf(name: string, problems: FieldProblems): string | undefined {
  const inner = Object.keys(problems).find(
    (path) => path.startsWith(`${name}.`) || path.startsWith(`${name}[`),
  );
  return problems[name] ?? (inner === undefined ? undefined : problems[inner]);
}

interface InputControlProps {
  name: string;
  field: InputField;
  required: boolean;
  mark: string | undefined;
  value: string | boolean;
  problem: string | undefined;
  onChange: (value: string | boolean) => void;
  onFiles: ((files: readonly File[]) => void) | undefined;
}

const INPUT_TYPES = {
  email: "email",
  url: "url",
  date: "date",
  time: "datetime-local",
  text: "text",
} as const;

function InputControl(props: InputControlProps) {
  const { name, field, mark, value, problem, onChange } = props;
  const control = controlOf(field);
  const label = labelOf(name, field);
  const hint = field.description ?? (control === "list" ? "One per line" : undefined);
  if (control === "yes-no")
    return (
      <div className="field">
        <label className="check">
          <input
            type="checkbox"
            aria-invalid={problem === undefined ? undefined : true}
            checked={value === true}
            onChange={(event) => onChange(event.target.checked)}
          />
          {label}
        </label>
        {problem !== undefined && <p className="wrong">{problem}</p>}
        {hint !== undefined && <p className="hint">{hint}</p>}
      </div>
    );
  return (
    <Field
      label={label}
      hint={hint}
      error={problem}
      aside={mark !== undefined && <span className="xs muted">{mark}</span>}
    >
      {(ids) => <TypedInput {...props} control={control} ids={ids} />}
    </Field>
  );
}

interface TypedInputProps extends InputControlProps {
  control: Exclude<ReturnType<typeof controlOf>, "yes-no">;
  ids: ControlIds;
}

function TypedInput({ control, ids, field, required, value, onChange, onFiles }: TypedInputProps) {
  // The browser's own checks would hide the sentences of the service.
  const base = { className: "in", ...ids, "aria-required": required };
  if (onFiles !== undefined)
    return (
      <input
        {...base}
        type="file"
        multiple={field.type === "array"}
        onChange={(event) => onFiles([...(event.target.files ?? [])])}
      />
    );
  const common = {
    ...base,
    value: String(value),
    onChange: (event: { target: { value: string } }) => onChange(event.target.value),
  };
  switch (control) {
    case "choice":
      return (
        <select {...common}>
          <option value="">{required ? "Select…" : "None"}</option>
          {(field.enum ?? []).map((choice) => (
            <option key={String(choice)} value={String(choice)}>
              {String(choice)}
            </option>
          ))}
        </select>
      );
    case "multiline":
    case "list":
    case "json":
      return <textarea {...common} className={control === "json" ? "in mono" : "in"} rows={4} />;
    case "number":
      return <input {...common} type="text" inputMode={field.type === "integer" ? "numeric" : "decimal"} />;
    default:
      return <input {...common} type={INPUT_TYPES[control]} />;
  }
}
