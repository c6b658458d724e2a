import { isLargeValue } from "../../api/large-values.ts";
import { kindWords, sampleText, schemaOf, tableOf } from "../../flow/value-shape.ts";
import { JsonView } from "../../ui/json-view.tsx";
import { FileChips } from "./file-chips.tsx";
import "./output.css";
import { StoredValue } from "./stored-value.tsx";
import { TextValue } from "./text-value.tsx";

export type ValueFormat = "table" | "json" | "schema" | "formatted";

/** A value as a table, as JSON, as its schema or as Markdown. Values without rows are shown as JSON. */
export function ValueView({ value, format }: { value: unknown; format: ValueFormat }) {
  if (isLargeValue(value)) return <StoredValue value={value} />;
  return (
    <div>
      <FileChips value={value} />
      <FormattedValue value={value} format={format} />
    </div>
  );
}

function FormattedValue({ value, format }: { value: unknown; format: ValueFormat }) {
  if (format === "schema") return <SchemaView value={value} />;
  if (format === "formatted" && typeof value === "string") return <TextValue text={value} />;
  const table = format === "table" ? tableOf(value) : undefined;
  if (table === undefined) return <JsonView value={value} />;
  return (
    <div className="value-table" tabIndex={0} role="group" aria-label="Value">
      <table>
        <thead>
          <tr>
            {table.columns.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.rows.map((row, index) => (
            <tr key={index}>
              {row.map((cell, at) => (
                <td key={at}>{cell === undefined ? "" : sampleText(cell)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {table.hiddenRows > 0 && <p className="small muted">… and {table.hiddenRows} more rows</p>}
    </div>
  );
}

function SchemaView({ value }: { value: unknown }) {
  return (
    <ul className="value-schema plain-list" aria-label="Schema">
      {schemaOf(value).map((field, index) => (
        <li key={index} style={{ paddingLeft: field.depth * 16 }}>
          <code>{field.depth === 0 ? "value" : field.name === "[]" ? "each item" : field.name}</code>{" "}
          <span className="muted">
            {field.kinds.map((kind) => kindWords[kind]).join(" or ")}
            {field.optional && ", not always"}
          </span>
        </li>
      ))}
    </ul>
  );
}
