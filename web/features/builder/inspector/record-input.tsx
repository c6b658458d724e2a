import { Plus, X } from "lucide-react";
import { formatValue } from "../../../flow/form-fields.ts";
import type { PickValue } from "../placeholders/value-picker.tsx";
import { PlaceholderInput } from "../placeholders/placeholder-input.tsx";

interface RecordInputProps {
  label: string;
  hint: string | undefined;
  value: unknown;
  onChange: (value: unknown) => void;
  onPick: PickValue;
}

/** Name and value pairs, such as headers or query parameters. */
export function RecordInput({ label, hint, value, onChange, onPick }: RecordInputProps) {
  const record = typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  // Rows are keyed by index: keyed by name, an input would lose the focus while its name is typed.
  const rows = Object.entries(record);
  // An empty record is removed from the step, like any emptied field.
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
            value={formatValue(text)}
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
