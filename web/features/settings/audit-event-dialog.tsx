import type { AuditEvent } from "../../api/audit-log.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { actionLabel, actorLabel, outcomeLabel } from "./audit-labels.ts";

interface FieldChange {
  field: string;
  before: string;
  after: string;
}

const toText = (value: unknown): string =>
  value === undefined ? "" : typeof value === "string" ? value : JSON.stringify(value);

function changesOf({ before, after }: AuditEvent): FieldChange[] {
  const fields = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])].toSorted();
  return fields.map((field) => ({ field, before: toText(before?.[field]), after: toText(after?.[field]) }));
}

const COLUMNS: readonly Column<FieldChange>[] = [
  { title: "Field", cell: ({ field }) => <code>{field}</code> },
  { title: "Before", cell: ({ before }) => <span className="breakable">{before}</span> },
  { title: "After", cell: ({ after }) => <span className="breakable">{after}</span> },
];

/** One event with what it changed. */
export function AuditEventDialog({ event, onClose }: { event: AuditEvent; onClose: () => void }) {
  const changes = changesOf(event);
  const target = event.target.name ?? event.target.id;
  const from = [event.address, event.userAgent].filter((part) => part !== null).join(", ");
  return (
    <Dialog title={actionLabel(event.action)} onClose={onClose} wide>
      <p>
        {actorLabel(event.actor)}, {new Date(event.at).toLocaleString("en")}
        {from === "" ? "" : `, from ${from}`}. {outcomeLabel(event)}.
      </p>
      {target !== null && <p className="breakable">Target: {target}</p>}
      {changes.length === 0 ? (
        <p className="muted">No field changed.</p>
      ) : (
        <Table columns={COLUMNS} rows={changes} keyOf={({ field }) => field} />
      )}
      <p className="small muted breakable">
        Event {event.sequence}, hash <code>{event.hash}</code>
      </p>
    </Dialog>
  );
}
