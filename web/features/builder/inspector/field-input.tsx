import { useState } from "react";
import { type FormField, formatValue, parseNumber, parseValue } from "../../../flow/form-fields.ts";
import { Field, type Option } from "../../../ui/field.tsx";
import { LiteralInput, PlaceholderInput } from "../placeholders/placeholder-input.tsx";
import type { PickValue } from "../placeholders/value-picker.tsx";
import { ListInput } from "./list-input.tsx";
import { RecordInput } from "./record-input.tsx";

interface FieldInputProps {
  field: FormField;
  value: unknown;
  onChange: (value: unknown) => void;
  onPick: PickValue;
  error: string | undefined;
  /** True for expressions: picked values are inserted by path, without braces. */
  literal?: boolean;
  /** The records that this field can refer to, such as workflows by id. */
  suggestions?: readonly Option[] | undefined;
}

/** The control for one field of a step's schema. */
export function FieldInput(props: FieldInputProps) {
  const { field, value, onChange, onPick, error, suggestions } = props;
  const { hint, kind } = field;
  const label = field.required ? field.label : `${field.label} (optional)`;
  if (kind === "record")
    return <RecordInput label={label} hint={hint} value={value} onChange={onChange} onPick={onPick} />;
  if (kind === "list")
    return (
      <ListInput
        label={label}
        hint={hint}
        error={error}
        value={value}
        onChange={onChange}
        onPick={onPick}
        options={suggestions ?? []}
      />
    );
  return (
    <Field label={label} hint={hint} error={error}>
      {(ids) => <SingleInput {...props} ids={ids} />}
    </Field>
  );
}

/** A field with one control: a select, a number, any value, an expression or text. */
function SingleInput({
  ids,
  field,
  value,
  onChange,
  onPick,
  literal,
  suggestions,
}: FieldInputProps & { ids: { id: string } }) {
  const { kind, options, required } = field;
  // An emptied optional field is removed from the step; a required one stays, so the validator reports it.
  const setText = (text: string): void => onChange(text === "" && !required ? undefined : text);
  if (kind === "choice")
    return (
      <SelectInput
        ids={ids}
        value={value}
        onChange={onChange}
        options={options.map((option) => ({ value: option, label: option }))}
        emptyOption={!required || value === undefined ? "Default" : undefined}
      />
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
  if (kind === "value") return <AnyValueInput ids={ids} value={value} onChange={onChange} onPick={onPick} />;
  if (suggestions !== undefined)
    return (
      <SelectInput ids={ids} value={value} onChange={onChange} options={suggestions} emptyOption="Select…" />
    );
  if (literal === true)
    return <LiteralInput ids={ids} value={formatValue(value)} onChange={setText} onPick={onPick} />;
  return (
    <PlaceholderInput
      ids={ids}
      long={kind === "long"}
      value={formatValue(value)}
      onChange={setText}
      onPick={onPick}
    />
  );
}

interface SelectInputProps {
  ids: { id: string };
  value: unknown;
  onChange: (value: unknown) => void;
  options: readonly Option[];
  /** Label of the empty option. */
  emptyOption: string | undefined;
}

/** A stored value that is not among the options stays selectable: opening the form must not change the step. */
function SelectInput({ ids, value, onChange, options, emptyOption }: SelectInputProps) {
  const isUnknown =
    typeof value === "string" && value !== "" && !options.some((option) => option.value === value);
  return (
    <select
      className="in"
      {...ids}
      value={formatValue(value)}
      onChange={(event) => onChange(event.target.value === "" ? undefined : event.target.value)}
    >
      {emptyOption !== undefined && <option value="">{emptyOption}</option>}
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ))}
      {isUnknown && <option>{value}</option>}
    </select>
  );
}

interface AnyValueInputProps {
  ids: { id: string };
  value: unknown;
  onChange: (value: unknown) => void;
  onPick: PickValue;
}

/** Text or JSON. The typed text is kept as it is: reformatting half-typed JSON would move the caret. */
function AnyValueInput({ ids, value, onChange, onPick }: AnyValueInputProps) {
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
        const parsed = parseValue(next);
        setTyped({ text: next, value: parsed });
        onChange(parsed);
      }}
    />
  );
}
