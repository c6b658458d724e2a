import { useState } from "react";
import { type FormField, parseNumber, parseValue, formatValue } from "../../../flow/form-fields.ts";
import { Field } from "../../../ui/field.tsx";
import { ListInput } from "./list-input.tsx";
import type { PickValue } from "../placeholders/pick-value.ts";
import { LiteralInput, PlaceholderInput } from "../placeholders/placeholder-input.tsx";
import { RecordInput } from "./record-input.tsx";

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
  if (kind === "list")
    return (
      <ListInput
        label={name}
        hint={hint}
        wrong={wrong}
        value={value}
        onChange={onChange}
        onPick={onPick}
        options={suggestions ?? []}
      />
    );
  return (
    <Field label={name} hint={hint} wrong={wrong}>
      {(ids) => {
        if (kind === "choice")
          return (
            <select
              className="in"
              {...ids}
              value={formatValue(value)}
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
              value={formatValue(value)}
              onChange={(event) => onChange(parseNumber(event.target.value))}
            />
          );
        if (kind === "value")
          return <AnyValueInput ids={ids} value={value} onChange={onChange} onPick={onPick} />;
        if (suggestions !== undefined)
          return (
            <select
              className="in"
              {...ids}
              value={formatValue(value)}
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
        if (literal)
          return (
            <LiteralInput
              ids={ids}
              value={formatValue(value)}
              onChange={(text) => onChange(text === "" && !required ? undefined : text)}
              onPick={onPick}
            />
          );
        return (
          <PlaceholderInput
            ids={ids}
            long={kind === "long"}
            value={formatValue(value)}
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
  const text = typed !== undefined && typed.value === value ? typed.text : formatValue(value);
  return (
    <PlaceholderInput
      ids={ids}
      long
      value={text}
      placeholder="Text or JSON"
      onPick={onPick}
      onChange={(next) => {
        const read = parseValue(next);
        setTyped({ text: next, value: read });
        onChange(read);
      }}
    />
  );
}
