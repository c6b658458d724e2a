import { formatValue } from "../../../flow/form-fields.ts";
import { CheckboxList } from "../../../ui/checkbox-list.tsx";
import type { Option } from "../../../ui/field.tsx";
import { PlaceholderField } from "../placeholders/placeholder-field.tsx";
import { SettingField } from "./setting-field.tsx";

interface ListInputProps {
  label: string;
  hint: string | undefined;
  error: string | undefined;
  value: unknown;
  onChange: (value: unknown) => void;
  options: readonly Option[];
}

/** Checkboxes for the known options, or one placeholder whose value is the list. */
export function ListInput({ label, hint, error, value, onChange, options }: ListInputProps) {
  if (typeof value === "string")
    return (
      <SettingField
        label={label}
        hint={hint}
        error={error}
        stacked
        aside={
          <button type="button" className="btn ghost tiny" onClick={() => onChange(undefined)}>
            Select from list
          </button>
        }
      >
        {(ids) => (
          <PlaceholderField
            ids={ids}
            value={formatValue(value)}
            example="Type @ for a list"
            onChange={onChange}
          />
        )}
      </SettingField>
    );
  const selected = Array.isArray(value) ? value.filter((entry) => typeof entry === "string") : [];
  const missing = selected.filter((entry) => !options.some((option) => option.value === entry));
  return (
    <div className="stack tight">
      <CheckboxList
        label={label}
        hint={error}
        options={[...options, ...missing.map((entry) => ({ value: entry, label: `${entry} (not found)` }))]}
        selected={selected}
        onChange={(next) => onChange(next.length === 0 ? undefined : [...next])}
      />
      <div>
        <button type="button" className="btn ghost tiny" onClick={() => onChange("")}>
          Use a value of an earlier step
        </button>
      </div>
    </div>
  );
}
