import { useRef, useState } from "react";
import { Link } from "wouter";
import { OPERATION_ROLES } from "../../../contract/operation-roles.ts";
import {
  type AuditEvent,
  type AuditLogFilter,
  exportAuditLog,
  type LogOwner,
  useAuditEvents,
  useAuditVerification,
} from "../../api/audit-log.ts";
import { Ago } from "../../ui/ago.tsx";
import { ChoiceField } from "../../ui/choice-field.tsx";
import { TextField } from "../../ui/field.tsx";
import { RecordTable } from "../../ui/record-table.tsx";
import { Empty, Loaded } from "../../ui/states.tsx";
import type { Column } from "../../ui/table.tsx";
import { useFilter } from "../../ui/use-filter.ts";
import { AuditEventDialog } from "./audit-event-dialog.tsx";
import { actionLabel, actionOf, actorLabel, outcomeLabel } from "./audit-labels.ts";

/** Who changed what, when and from where. */
export function AuditLogView({ owner }: { owner: LogOwner }) {
  const [actor, setActor] = useFilter("actor");
  const [action, setAction] = useFilter("action");
  const [target, setTarget] = useFilter("target");
  const [from, setFrom] = useFilter("from");
  const [to, setTo] = useFilter("to");
  const [shown, setShown] = useState<AuditEvent>();
  // What is typed stays as it is: half of a label is no action yet.
  const filter = { actor, action: actionOf(action), target, from, to };
  const events = useAuditEvents(owner, filter);
  const seen = useSeen(owner, events.data);
  const columns: Column<AuditEvent>[] = [
    { title: "Time", muted: true, cell: ({ at }) => <Ago at={at} /> },
    {
      title: "Actor",
      cell: (event) => actorLabel(event.actor),
    },
    {
      title: "Action",
      cell: (event) => (
        <button type="button" className="link-button breakable" onClick={() => setShown(event)}>
          {actionLabel(event.action)}
        </button>
      ),
    },
    {
      title: "Target",
      wideOnly: true,
      cell: (event) => <span className="breakable">{event.target.name ?? event.target.id ?? ""}</span>,
    },
    { title: "Outcome", cell: (event) => <span className="breakable">{outcomeLabel(event)}</span> },
    { title: "Address", wideOnly: true, muted: true, cell: ({ address }) => address ?? "" },
  ];
  return (
    <>
      <Verification owner={owner} />
      <div className="row wrap">
        <ChoiceField label="Actor" value={actor} onChange={setActor} choices={seen.actors} />
        <ChoiceField label="Action" value={action} onChange={setAction} choices={seen.actions} />
        <ChoiceField label="Target" value={target} onChange={setTarget} choices={seen.targets} />
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

interface Choices {
  actors: string[];
  actions: string[];
  targets: string[];
}

/** What can be filtered by: the actions of the workspace, and the names of all events that were loaded, also before a filter. */
function useSeen(owner: LogOwner, events: readonly AuditEvent[] | undefined): Choices {
  const known = useRef<Record<keyof Choices, Set<string>>>(undefined);
  known.current ??= {
    actors: new Set(),
    actions: new Set(owner === "workspace" ? WORKSPACE_ACTIONS : []),
    targets: new Set(),
  };
  const { actors, actions, targets } = known.current;
  for (const { actor, action, target } of events ?? []) {
    if (actor.name !== null) actors.add(actor.name);
    actions.add(actionLabel(action));
    if (target.name !== null) targets.add(target.name);
  }
  return { actors: toList(actors), actions: toList(actions), targets: toList(targets) };
}

const toList = (set: ReadonlySet<string>): string[] => [...set].toSorted();

/** Reads are not in the log. */
const WORKSPACE_ACTIONS = Object.keys(OPERATION_ROLES)
  .filter((operation) => !/^(list|get|read|find|search|run|test)/.test(operation))
  .map(actionLabel);

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
    <div className="row wrap">
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
