import { Link } from "wouter";
import { type ClientCall, type Protocol, useCallPages } from "../../api/exposures.ts";
import { Ago } from "../../ui/ago.tsx";
import { RecordTable } from "../../ui/record-table.tsx";
import { Segments } from "../../ui/segments.tsx";
import { Empty } from "../../ui/states.tsx";
import type { Column } from "../../ui/table.tsx";
import { duration } from "../../ui/time.ts";
import { useFilter } from "../../ui/use-filter.ts";
import { PROTOCOL_TITLES } from "./protocol-titles.ts";

const PROTOCOLS: readonly { value: Protocol | ""; label: string }[] = [
  { value: "", label: "All" },
  { value: "mcp", label: PROTOCOL_TITLES.mcp },
  { value: "a2a", label: PROTOCOL_TITLES.a2a },
  { value: "chat", label: PROTOCOL_TITLES.chat },
];

const columns: Column<ClientCall>[] = [
  { title: "Time", wideOnly: true, muted: true, cell: ({ at }) => <Ago at={at} /> },
  {
    title: "Called",
    cell: ({ name, method, at }) => (
      <span className="exposed-record">
        <code className="breakable">{name ?? method}</code>
        {name !== null && <span className="muted small wide-only">{method}</span>}
        <span className="muted small narrow-only">
          <Ago at={at} />
        </span>
      </span>
    ),
  },
  { title: "Protocol", wideOnly: true, cell: ({ protocol }) => PROTOCOL_TITLES[protocol] },
  {
    title: "Caller",
    wideOnly: true,
    cell: ({ callerName }) => <span className="breakable">{callerName}</span>,
  },
  {
    title: "Status",
    cell: ({ status, errorCode }) =>
      status === "ok" ? (
        <span className="chip dot ok">Completed</span>
      ) : (
        <span className="exposed-record">
          <span className="chip dot bad">Failed</span>
          <code className="small breakable">{errorCode}</code>
        </span>
      ),
  },
  { title: "Duration", wideOnly: true, muted: true, cell: ({ durationMs }) => duration(durationMs) },
  {
    title: "Run",
    actions: true,
    cell: (call) => {
      const link = runLink(call);
      return link === undefined ? (
        <span className="muted">–</span>
      ) : (
        <Link href={link} className="btn tiny" aria-label={`Open run of ${call.name ?? call.method}`}>
          Open run
        </Link>
      );
    },
  },
];

/** The calls of clients, newest first; a new one appears by itself. */
export function CallList() {
  const [filter, setProtocol] = useFilter("protocol");
  const protocol = PROTOCOLS.find(({ value }) => value === filter)?.value ?? "";
  const calls = useCallPages(protocol);
  return (
    <>
      <div className="row wrap">
        <Segments label="Protocol" value={protocol} onChange={setProtocol} options={PROTOCOLS} />
      </div>
      <RecordTable
        list={calls}
        columns={columns}
        keyOf={({ id }) => id}
        empty={
          <Empty
            title="No calls yet"
            action={
              <Link href="/clients/connect" className="btn">
                Connect a client
              </Link>
            }
          >
            Calls of MCP, A2A and chat clients appear here, with their runs.
          </Empty>
        }
      />
    </>
  );
}

/** The run of a team is a session, which is shown in its team. */
function runLink({ taskId, kind, recordId }: ClientCall): string | undefined {
  if (taskId === null) return undefined;
  if (taskId.startsWith("task_")) return `/runs/${taskId}`;
  const [sessionId] = taskId.split(".");
  return kind === "team" && recordId !== null ? `/teams/${recordId}/sessions/${sessionId}` : undefined;
}
