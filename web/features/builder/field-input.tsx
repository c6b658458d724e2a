import { Plus, X } from "lucide-react";
import { useState } from "react";
import { type FormField, readNumber, readValue, showValue } from "../../flow/form-fields.ts";
import { Field } from "../../ui/field.tsx";
import { PlaceholderInput } from "./placeholder-input.tsx";

type PickValue = (insert: (placeholder: string) => void) => void;

interface FieldInputProps {
  field: FormField;
  value: unknown;
  onChange: (value: unknown) => void;
  onPick: PickValue;
  wrong: string | undefined;
  /** Taken as it is, such as an expression: values go in by name, without braces. */
  literal?: boolean;
  /** Known things that this field can name, such as the ids of workflows. */
  suggestions?: readonly { value: string; label: string }[] | undefined;
}

/** One control for one field of a step's schema. */
export function FieldInput({
  field,
  value,
  onChange,
  onPick,
  wrong,
  literal = false,
  suggestions,
}: FieldInputProps) {
  const { label, hint, kind, options, required } = field;
  const name = required ? label : `${label} (optional)`;
  if (kind === "record")
    return <RecordInput label={name} hint={hint} value={value} onChange={onChange} onPick={onPick} />;
  return (
    <Field label={name} hint={hint} wrong={wrong}>
      {(ids) => {
        if (kind === "choice")
          return (
            <select
              className="in"
              {...ids}
              value={showValue(value)}
              onChange={(event) => onChange(event.target.value === "" ? undefined : event.target.value)}
            >
              {(!required || value === undefined) && <option value="">Default</option>}
              {options.map((option) => (
                <option key={option}>{option}</option>
              ))}
              {typeof value === "string" && value !== "" && !options.includes(value) && (
                <option>{value}</option>
              )}
            </select>
          );
        if (kind === "number")
          return (
            <input
              className="in"
              {...ids}
              inputMode="decimal"
              value={showValue(value)}
              onChange={(event) => onChange(readNumber(event.target.value))}
            />
          );
        if (kind === "value")
          return <AnyValueInput ids={ids} value={value} onChange={onChange} onPick={onPick} />;
        if (suggestions !== undefined)
          return (
            <select
              className="in"
              {...ids}
              value={showValue(value)}
              onChange={(event) => onChange(event.target.value === "" ? undefined : event.target.value)}
            >
              <option value="">Choose one</option>
              {suggestions.map((entry) => (
                <option key={entry.value} value={entry.value}>
                  {entry.label}
                </option>
              ))}
              {typeof value === "string" &&
                value !== "" &&
                !suggestions.some((entry) => entry.value === value) && <option>{value}</option>}
            </select>
          );
        return (
          <PlaceholderInput
            ids={ids}
            long={kind === "long"}
            literal={literal}
            value={showValue(value)}
            onChange={(text) => onChange(text === "" && !required ? undefined : text)}
            onPick={onPick}
          />
        );
      }}
    </Field>
  );
}

/** Keeps what was typed as it was typed: half a JSON object is text until it is whole. */
function AnyValueInput({
  ids,
  value,
  onChange,
  onPick,
}: {
  ids: { id: string };
  value: unknown;
  onChange: (value: unknown) => void;
  onPick: PickValue;
}) {
  const [typed, setTyped] = useState<{ text: string; value: unknown }>();
  const text = typed !== undefined && typed.value === value ? typed.text : showValue(value);
  return (
    <PlaceholderInput
      ids={ids}
      long
      value={text}
      placeholder="Text or JSON"
      onPick={onPick}
      onChange={(next) => {
        const read = readValue(next);
        setTyped({ text: next, value: read });
        onChange(read);
      }}
    />
  );
}

interface RecordInputProps {
  label: string;
  hint: string | undefined;
  value: unknown;
  onChange: (value: unknown) => void;
  onPick: PickValue;
}

/** Names and texts, one a row: headers, query parameters. */
function RecordInput({ label, hint, value, onChange, onPick }: RecordInputProps) {
  const record = typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  const rows = Object.entries(record);
  const write = (next: [string, unknown][]): void =>
    onChange(next.length === 0 ? undefined : Object.fromEntries(next));
  return (
    <fieldset className="field record">
      <legend className="name">{label}</legend>
      {rows.map(([name, text], index) => (
        <div key={index} className="record-row">
          <input
            className="in"
            aria-label={`${label}: name ${index + 1}`}
            value={name}
            onChange={(event) =>
              write(rows.map((row, at) => (at === index ? [event.target.value, row[1]] : row)))
            }
          />
          <PlaceholderInput
            ids={{ id: `${label}-${index}`, "aria-label": `${label}: value ${index + 1}` } as { id: string }}
            value={showValue(text)}
            onPick={onPick}
            onChange={(next) => write(rows.map((row, at) => (at === index ? [row[0], next] : row)))}
          />
          <button
            type="button"
            className="btn ghost icon"
            aria-label={`Remove ${name || "this row"}`}
            onClick={() => write(rows.filter((_, at) => at !== index))}
          >
            <X size={14} />
          </button>
        </div>
      ))}
      <div>
        <button
          type="button"
          className="btn tiny"
          onClick={() =>
            write([...rows, [rows.some(([name]) => name === "") ? `name-${rows.length}` : "", ""]])
          }
        >
          <Plus size={13} /> Add
        </button>
      </div>
      {hint !== undefined && <p className="hint">{hint}</p>}
    </fieldset>
  );
}
