import { useState } from "react";
import { Link } from "wouter";
import {
  type AuditEvent,
  type AuditLogFilter,
  exportAuditLog,
  type LogOwner,
  useAuditEvents,
  useAuditVerification,
} from "../../api/audit-log.ts";
import { Ago } from "../../ui/ago.tsx";
import { TextField } from "../../ui/field.tsx";
import { RecordTable } from "../../ui/record-table.tsx";
import { Empty, Loaded } from "../../ui/states.tsx";
import type { Column } from "../../ui/table.tsx";
import { useFilter } from "../../ui/use-filter.ts";
import { AuditEventDialog, actionLabel, actorLabel, outcomeLabel } from "./audit-event-dialog.tsx";

/** Who changed what, when and from where. */
export function AuditLogView({ owner }: { owner: LogOwner }) {
  const [actor, setActor] = useFilter("actor");
  const [action, setAction] = useFilter("action");
  const [target, setTarget] = useFilter("target");
  const [from, setFrom] = useFilter("from");
  const [to, setTo] = useFilter("to");
  const [shown, setShown] = useState<AuditEvent>();
  const filter = { actor, action, target, from, to };
  const events = useAuditEvents(owner, filter);
  const columns: Column<AuditEvent>[] = [
    { title: "Time", muted: true, cell: ({ at }) => <Ago at={at} /> },
    {
      title: "Actor",
      cell: (event) => actorLabel(event.actor),
    },
    {
      title: "Action",
      cell: (event) => (
        <button type="button" className="btn tiny" onClick={() => setShown(event)}>
          {actionLabel(event.action)}
        </button>
      ),
    },
    {
      title: "Target",
      wideOnly: true,
      cell: (event) => <span className="breakable">{event.target.name ?? event.target.id ?? ""}</span>,
    },
    { title: "Outcome", cell: (event) => outcomeLabel(event) },
    { title: "Address", wideOnly: true, muted: true, cell: ({ address }) => address ?? "" },
  ];
  return (
    <>
      <Verification owner={owner} />
      <div className="row wrap">
        <TextField label="Actor ID" value={actor} onChange={setActor} />
        <TextField
          label="Action"
          value={action}
          onChange={setAction}
          placeholder={owner === "workspace" ? "updateWorkflow" : "login"}
        />
        <TextField label="Target ID" value={target} onChange={setTarget} />
        <TextField label="From" type="date" value={from} onChange={setFrom} />
        <TextField label="Before" type="date" value={to} onChange={setTo} />
      </div>
      <Exports owner={owner} filter={filter} />
      <RecordTable
        list={events}
        columns={columns}
        keyOf={({ sequence }) => String(sequence)}
        empty={<Empty title="No events">Changes and exports appear here once they are made.</Empty>}
      />
      {shown !== undefined && <AuditEventDialog event={shown} onClose={() => setShown(undefined)} />}
    </>
  );
}

function Verification({ owner }: { owner: LogOwner }) {
  const verification = useAuditVerification(owner);
  return (
    <Loaded query={verification}>
      {({ valid, events, problem }) => (
        <p role="status">
          {valid
            ? `Verified: ${events.toLocaleString("en")} events, unbroken.`
            : `Event ${problem?.sequence} is broken. ${problem?.message ?? ""}`}
        </p>
      )}
    </Loaded>
  );
}

function Exports({ owner, filter }: { owner: LogOwner; filter: AuditLogFilter }) {
  return (
    <div className="row">
      <button type="button" className="btn" onClick={() => void exportAuditLog(owner, filter, "csv")}>
        Export CSV
      </button>
      <button type="button" className="btn" onClick={() => void exportAuditLog(owner, filter, "ndjson")}>
        Export NDJSON
      </button>
      {owner === "workspace" && (
        <Link href="/settings/events" className="btn">
          Stream to a webhook
        </Link>
      )}
    </div>
  );
}
