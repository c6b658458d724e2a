import { Braces } from "lucide-react";
import { formatValue } from "../../../flow/form-fields.ts";
import { CheckboxList } from "../../../ui/checkbox-list.tsx";
import { Field, type Option } from "../../../ui/field.tsx";
import type { PickValue } from "../placeholders/value-picker.tsx";
import { PlaceholderInput } from "../placeholders/placeholder-input.tsx";

interface ListInputProps {
  label: string;
  hint: string | undefined;
  error: string | undefined;
  value: unknown;
  onChange: (value: unknown) => void;
  onPick: PickValue;
  options: readonly Option[];
}

/** Checkboxes for the known options, or one placeholder whose value is the list. */
export function ListInput({ label, hint, error, value, onChange, onPick, options }: ListInputProps) {
  if (typeof value === "string")
    return (
      <Field label={label} hint={hint} error={error}>
        {(ids) => (
          <>
            <PlaceholderInput
              ids={ids}
              value={formatValue(value)}
              onPick={onPick}
              onChange={(text) => onChange(text === "" ? undefined : text)}
            />
            <div>
              <button type="button" className="btn tiny" onClick={() => onChange(undefined)}>
                Select from list
              </button>
            </div>
          </>
        )}
      </Field>
    );
  const selected = Array.isArray(value) ? value.filter((entry) => typeof entry === "string") : [];
  const missing = selected.filter((entry) => !options.some((option) => option.value === entry));
  return (
    <div className="stack tight">
      <CheckboxList
        label={label}
        hint={error ?? hint}
        options={[...options, ...missing.map((entry) => ({ value: entry, label: `${entry} (not found)` }))]}
        selected={selected}
        onChange={(next) => onChange(next.length === 0 ? undefined : [...next])}
      />
      <div>
        <button
          type="button"
          className="btn tiny"
          onClick={() => onPick((placeholder) => onChange(`{{${placeholder}}}`))}
        >
          <Braces size={13} /> Use a value
        </button>
      </div>
    </div>
  );
}
