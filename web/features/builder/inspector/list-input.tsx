import { useState } from "react";
import { isSinglePlaceholder } from "../../../../contract/placeholders/scan-text.ts";
import { formatValue } from "../../../flow/form-fields.ts";
import { CheckboxList } from "../../../ui/checkbox-list.tsx";
import type { Option } from "../../../ui/field.tsx";
import { PlaceholderField } from "../placeholders/placeholder-field.tsx";
import { NameChips } from "./name-chips.tsx";
import { SettingField } from "./setting-field.tsx";

interface ListInputProps {
  label: string;
  hint: string | undefined;
  error: string | undefined;
  value: unknown;
  onChange: (value: unknown) => void;
  /** Undefined when the entries are free text. */
  options: readonly Option[] | undefined;
  /** Entries that are offered beside free text. */
  names?: readonly string[] | undefined;
}

/** Checkboxes for the known options, text with commas for free entries, or one placeholder whose value is the list. */
export function ListInput(props: ListInputProps) {
  const { label, hint, error, value, onChange, options } = props;
  if (options === undefined) return <TextListInput {...props} />;
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

/** "city, total". A typed comma stays until the field has another value. */
function TextListInput({ label, hint, error, value, onChange, names }: ListInputProps) {
  const [typed, setTyped] = useState("");
  const stored = Array.isArray(value) ? value.map(entryText).join(", ") : formatValue(value);
  const isTyped = formatValue(entriesOf(typed)) === formatValue(value);
  const entries: unknown[] = Array.isArray(value) ? value : [];
  function toggle(name: string): void {
    const next = entries.includes(name) ? entries.filter((entry) => entry !== name) : [...entries, name];
    onChange(next.length === 0 ? undefined : next);
  }
  return (
    <SettingField label={label} hint={hint} error={error}>
      {(ids) => (
        <>
          <PlaceholderField
            ids={ids}
            value={isTyped ? typed : stored}
            stored={value}
            example="Comma-separated"
            onChange={(text) => {
              setTyped(text);
              onChange(entriesOf(text));
            }}
          />
          <NameChips label={label} names={names} selected={entries} onToggle={toggle} />
        </>
      )}
    </SettingField>
  );
}

/** An entry that is no text, from a file or the API, is shown as it is stored. */
function entryText(entry: unknown): string {
  return typeof entry === "object" ? JSON.stringify(entry) : String(entry);
}

/** One placeholder alone is the whole list. A comma inside a placeholder separates nothing. */
function entriesOf(text: string): unknown {
  const trimmed = text.trim();
  if (trimmed === "") return undefined;
  if (isSinglePlaceholder(trimmed)) return trimmed;
  const entries = trimmed.match(/(?:\{\{[^]*?\}\}|[^,])+/g) ?? [];
  return entries.map((entry) => entry.trim()).filter((entry) => entry !== "");
}
