import { useState } from "react";
import { type FormField, formatValue, parseValue } from "../../../flow/form-fields.ts";
import type { Option } from "../../../ui/field.tsx";
import { PlaceholderField } from "../placeholders/placeholder-field.tsx";
import { ListInput } from "./list-input.tsx";
import { NameChips } from "./name-chips.tsx";
import { NumberInput } from "./number-input.tsx";
import { RecordInput } from "./record-input.tsx";
import { SelectInput } from "./select-input.tsx";
import type { ControlIds } from "../../../ui/field.tsx";
import { SettingField } from "./setting-field.tsx";

export interface FieldInputProps {
  field: FormField;
  value: unknown;
  onChange: (value: unknown) => void;
  error: string | undefined;
  /** True for expressions: values are inserted by path, without braces. */
  literal?: boolean;
  /** The records that this field can refer to, such as workflows by id. */
  suggestions?: readonly Option[] | undefined;
  /** The fields of the items that this field can name. */
  names?: readonly string[];
}

/** The label and the control of one field of a step. */
export function FieldInput(props: FieldInputProps) {
  const { field, value, onChange, error, suggestions, names } = props;
  const { hint, kind, label } = field;
  if (kind === "record") return <RecordInput label={label} hint={hint} value={value} onChange={onChange} />;
  if (kind === "list")
    return (
      <ListInput
        label={label}
        hint={hint}
        error={error}
        value={value}
        onChange={onChange}
        options={suggestions}
        names={names}
      />
    );
  return (
    <SettingField label={label} hint={hint} error={error} stacked={field.long}>
      {(ids) => (
        <>
          <FieldControl {...props} ids={ids} />
          <NameChips
            label={label}
            names={names}
            selected={[value]}
            onToggle={(name) => onChange(name === value ? undefined : name)}
          />
        </>
      )}
    </SettingField>
  );
}

/** The control without its label, for fields that share a row. */
export function FieldControl({
  ids,
  field,
  value,
  onChange,
  literal,
  suggestions,
}: Omit<FieldInputProps, "error"> & { ids: ControlIds }) {
  const { kind, required, example } = field;
  const fallback = field.options.find((option) => option.value === field.fallback);
  const emptyOption = fallback === undefined ? (example ?? "Default") : `${fallback.label} (default)`;
  // The same choice twice would be a riddle, unless the step stores it.
  const options = field.options.filter((option) => option !== fallback || String(value) === option.value);
  // An emptied optional field is removed from the step; a required one stays, so the validator reports it.
  const setText = (text: string): void => onChange(text === "" && !required ? undefined : text);
  if (kind === "choice")
    return (
      <SelectInput
        ids={ids}
        value={value ?? (field.before === undefined ? undefined : options[0]?.value)}
        onChange={onChange}
        options={options}
        emptyOption={
          field.before !== undefined || (required && value !== undefined)
            ? undefined
            : required
              ? "Select…"
              : emptyOption
        }
      />
    );
  if (kind === "yes-no")
    return (
      <SelectInput
        ids={ids}
        value={value}
        onChange={(chosen) => onChange(chosen === undefined ? undefined : chosen === "true")}
        options={options}
        emptyOption={emptyOption}
      />
    );
  if (kind === "number" || kind === "milliseconds" || kind === "seconds")
    return <NumberInput ids={ids} field={field} value={value} onChange={onChange} />;
  if (kind === "value")
    return <AnyValueInput ids={ids} long={field.long} example={example} value={value} onChange={onChange} />;
  if (suggestions !== undefined)
    return (
      <SelectInput ids={ids} value={value} onChange={onChange} options={suggestions} emptyOption="Select…" />
    );
  return (
    <PlaceholderField
      ids={ids}
      long={field.long}
      mode={literal === true ? "expression" : "template"}
      value={formatValue(value)}
      example={example}
      onChange={setText}
    />
  );
}

interface AnyValueInputProps {
  ids: ControlIds & { "aria-label"?: string };
  long?: boolean;
  example: string | undefined;
  value: unknown;
  onChange: (value: unknown) => void;
}

/** Text or JSON. The typed text is kept as it is: reformatting half-typed JSON would move the caret. */
export function AnyValueInput({ ids, long = false, example, value, onChange }: AnyValueInputProps) {
  const [typed, setTyped] = useState<{ text: string; value: unknown }>();
  const text = typed !== undefined && typed.value === value ? typed.text : formatValue(value);
  return (
    <PlaceholderField
      ids={ids}
      long={long || text.includes("\n")}
      value={text}
      stored={value}
      example={example}
      onChange={(next) => {
        const parsed = parseValue(next);
        setTyped({ text: next, value: parsed });
        onChange(parsed);
      }}
    />
  );
}
