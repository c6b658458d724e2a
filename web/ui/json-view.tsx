import { CopyButton } from "./copy-button.tsx";
import "./styles/json-view.css";

/** Rendering limits: an output of 100,000 rows must not freeze the page. */
const MAX_ITEMS = 100;
const MAX_TEXT = 4000;
const MAX_MULTILINE_TEXT = 20_000;

function Scalar({ value }: { value: unknown }) {
  if (typeof value === "string")
    return <span className="text">{JSON.stringify(truncate(value, MAX_TEXT))}</span>;
  if (typeof value === "number") return <span className="number">{value}</span>;
  return <span className="word">{String(value)}</span>;
}

function Node({ name, value, depth }: { name?: string; value: unknown; depth: number }) {
  const label = name === undefined ? null : <span className="key">{name}: </span>;
  if (typeof value !== "object" || value === null)
    return (
      <div>
        {label}
        <Scalar value={value} />
      </div>
    );
  const entries = Object.entries(value);
  const kind = Array.isArray(value) ? `[${entries.length}]` : `{${entries.length}}`;
  if (entries.length === 0)
    return (
      <div>
        {label}
        <span className="word">{Array.isArray(value) ? "[]" : "{}"}</span>
      </div>
    );
  return (
    <details open={depth < 2}>
      <summary>
        {label}
        {kind}
      </summary>
      <div>
        {entries.slice(0, MAX_ITEMS).map(([key, item]) => (
          <Node key={key} name={key} value={item} depth={depth + 1} />
        ))}
        {entries.length > MAX_ITEMS && <div className="muted">… and {entries.length - MAX_ITEMS} more</div>}
      </div>
    </details>
  );
}

/** A JSON value as a collapsible tree. A huge value is truncated on screen and copied in full. */
export function JsonView({ value }: { value: unknown }) {
  const isMultiline = typeof value === "string" && value.includes("\n");
  return (
    <div className="json-place">
      <div className="json code" tabIndex={0} role="group" aria-label="Value">
        {isMultiline ? <pre>{truncate(value, MAX_MULTILINE_TEXT)}</pre> : <Node value={value} depth={0} />}
      </div>
      {value !== null && value !== undefined && value !== "" && (
        <CopyButton text={() => (typeof value === "string" ? value : JSON.stringify(value, null, 2))} />
      )}
    </div>
  );
}

function truncate(text: string, limit: number): string {
  return text.length > limit ? `${text.slice(0, limit)}… (${text.length - limit} more characters)` : text;
}
