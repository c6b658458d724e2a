import { Plus, X } from "lucide-react";
import { type ReactNode, useId } from "react";

interface RowListProps {
  label: string;
  hint: string | undefined;
  error: string | undefined;
  /** The cells of each row. */
  rows: readonly ReactNode[];
  /** The style of a row. */
  columns: "order" | "condition" | "aggregate";
  addLabel: string;
  onAdd: () => void;
  onRemove: (index: number) => void;
}

/** Rows of controls with a button to remove each and one to add another. */
export function RowList({ label, hint, error, rows, columns, addLabel, onAdd, onRemove }: RowListProps) {
  const id = useId();
  return (
    <fieldset className="record" aria-describedby={error === undefined ? undefined : id}>
      <legend className="setting-name" title={hint}>
        {label}
      </legend>
      {rows.map((row, index) => (
        <div key={index} className={`record-row ${columns}`}>
          {row}
          <button
            type="button"
            className="btn ghost icon"
            aria-label={`${label}: remove row ${index + 1}`}
            onClick={() => onRemove(index)}
          >
            <X size={14} />
          </button>
        </div>
      ))}
      {error !== undefined && (
        <p id={id} className="wrong">
          {error}
        </p>
      )}
      <button type="button" className="btn ghost tiny record-add" onClick={onAdd}>
        <Plus size={13} /> {addLabel}
      </button>
    </fieldset>
  );
}

interface FieldNameInputProps {
  label: string;
  value: string;
  /** The fields of the items in the last run. */
  names: readonly string[];
  onChange: (value: string) => void;
}

/** The name of a field of the items: typed, or one of the last run. */
export function FieldNameInput({ label, value, names, onChange }: FieldNameInputProps) {
  const id = useId();
  return (
    <>
      <input
        className="in"
        aria-label={label}
        placeholder="Field"
        list={id}
        autoComplete="off"
        spellCheck={false}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
      <datalist id={id}>
        {names.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </>
  );
}

interface RowSelectProps {
  label: string;
  value: string;
  options: readonly { value: string; label: string }[];
  onChange: (value: string) => void;
}

export function RowSelect({ label, value, options, onChange }: RowSelectProps) {
  return (
    <select
      className="in"
      aria-label={label}
      value={value}
      onChange={(event) => onChange(event.target.value)}
    >
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ))}
    </select>
  );
}
