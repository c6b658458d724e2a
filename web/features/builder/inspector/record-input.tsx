import { Plus, X } from "lucide-react";
import { useId } from "react";
import { formatValue } from "../../../flow/form-fields.ts";
import { PlaceholderField } from "../placeholders/placeholder-field.tsx";

interface RecordInputProps {
  label: string;
  hint: string | undefined;
  /** Grey text in the empty fields. */
  examples?: readonly [name: string, value: string];
  /** Names that are offered beside free text. */
  names?: readonly string[];
  value: unknown;
  onChange: (value: unknown) => void;
}

/** Name and value pairs, such as headers or query parameters. */
export function RecordInput({
  label,
  hint,
  examples = ["Name", "Value"],
  names = [],
  value,
  onChange,
}: RecordInputProps) {
  const id = useId();
  const record = typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  // Rows are keyed by index: keyed by name, an input would lose the focus while its name is typed.
  const rows: [string, unknown][] = Object.keys(record).length === 0 ? [["", ""]] : Object.entries(record);
  // Rows without name and value are not stored, and an empty record is removed like any emptied field.
  const write = (next: [string, unknown][]): void => {
    const kept = next.filter(([name, text]) => name !== "" || text !== "");
    onChange(kept.length === 0 ? undefined : Object.fromEntries(kept));
  };
  return (
    <fieldset className="record">
      <legend className="setting-name" title={hint}>
        {label}
      </legend>
      {rows.map(([name, text], index) => (
        <div key={index} className="record-row">
          <input
            className="in"
            aria-label={`${label}: name ${index + 1}`}
            placeholder={examples[0]}
            list={names.length === 0 ? undefined : `${id}-names`}
            value={name}
            onChange={(event) =>
              write(rows.map((row, at) => (at === index ? [event.target.value, row[1]] : row)))
            }
          />
          <PlaceholderField
            ids={{ id: `${id}-${index}`, "aria-label": `${label}: value ${index + 1}` }}
            value={formatValue(text)}
            example={examples[1]}
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
      {names.length > 0 && (
        <datalist id={`${id}-names`}>
          {names.map((name) => (
            <option key={name} value={name} />
          ))}
        </datalist>
      )}
      <button
        type="button"
        className="btn ghost tiny record-add"
        disabled={rows.some(([name]) => name === "")}
        onClick={() => onChange({ ...record, "": "" })}
      >
        <Plus size={13} /> Add
      </button>
    </fieldset>
  );
}
