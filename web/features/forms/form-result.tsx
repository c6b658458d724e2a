import { isFileReference } from "../../../contract/file-reference.ts";
import { tableOf } from "../../flow/value-shape.ts";

/** The output of the run for the person who sent the form: text as text, objects and lists as a table. */
export function FormResult({ output }: { output: unknown }) {
  const table = isFileReference(output) ? undefined : tableOf(output);
  if (table === undefined)
    return output === "" || isEmptyObject(output) ? null : (
      <p className="form-text form-result">{cellText(output)}</p>
    );
  if (table.rows.length === 0) return null;
  const isList = Array.isArray(output);
  return (
    // Focusable, because it may scroll.
    <div className="form-result form-table" role="group" aria-label="Result" tabIndex={0}>
      <table>
        {isList && (
          <thead>
            <tr>
              {table.columns.map((column) => (
                <th key={column} scope="col">
                  {column}
                </th>
              ))}
            </tr>
          </thead>
        )}
        <tbody>
          {table.rows.map((row, index) => (
            <tr key={index}>
              {row.map((cell, at) =>
                at === 0 && !isList ? (
                  <th key={at} scope="row">
                    {String(cell)}
                  </th>
                ) : (
                  <td key={at}>{cellText(cell)}</td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
      {table.hiddenRows > 0 && <p className="small muted">… and {table.hiddenRows} more rows</p>}
    </div>
  );
}

function isEmptyObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length === 0;
}

function cellText(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (isFileReference(value)) return value.name;
  if (typeof value === "boolean") return value ? "Yes" : "No";
  if (Array.isArray(value) && value.every((entry) => typeof entry !== "object")) return value.join(", ");
  if (Array.isArray(value)) return value.map(cellText).join("\n\n");
  if (typeof value !== "object") return String(value);
  const entries = Object.entries(value as Record<string, unknown>);
  return entries.map(([name, inner]) => `${name}: ${cellText(inner)}`).join("\n");
}
