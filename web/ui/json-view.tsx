import { CopyButton } from "./copy-button.tsx";

/** Only so many are drawn at once: an output of a hundred thousand rows must not stop the page. */
const SHOWN_ITEMS = 100;
const SHOWN_TEXT = 4000;
const SHOWN_LINES = 20_000;

function Scalar({ value }: { value: unknown }) {
  if (typeof value === "string")
    return <span className="text">{JSON.stringify(shortened(value, SHOWN_TEXT))}</span>;
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
        {entries.slice(0, SHOWN_ITEMS).map(([key, item]) => (
          <Node key={key} name={key} value={item} depth={depth + 1} />
        ))}
        {entries.length > SHOWN_ITEMS && (
          <div className="muted">… and {entries.length - SHOWN_ITEMS} more</div>
        )}
      </div>
    </details>
  );
}

/** A value as it is: opened piece by piece, shown by its beginning when it is huge, and copied whole. */
export function JsonView({ value }: { value: unknown }) {
  const isLines = typeof value === "string" && value.includes("\n");
  return (
    <div className="json-place">
      <div className="json code" tabIndex={0} role="group" aria-label="Value">
        {isLines ? <pre>{shortened(value, SHOWN_LINES)}</pre> : <Node value={value} depth={0} />}
      </div>
      {value !== null && value !== undefined && value !== "" && (
        <CopyButton text={() => (typeof value === "string" ? value : JSON.stringify(value, null, 2))} />
      )}
    </div>
  );
}

function shortened(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most)}… (${text.length - most} more characters)` : text;
}
