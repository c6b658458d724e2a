import { useState } from "react";
import { Link } from "wouter";
import { messageOf } from "../../api/api-error.ts";
import {
  type Exposure,
  type ExposureKind,
  type Protocol,
  useChangeExposure,
  useExposurePages,
} from "../../api/exposures.ts";
import { RecordTable } from "../../ui/record-table.tsx";
import { EditButton } from "../../ui/row-actions.tsx";
import { Segments } from "../../ui/segments.tsx";
import { Empty } from "../../ui/states.tsx";
import { Switch } from "../../ui/switch.tsx";
import type { Column } from "../../ui/table.tsx";
import { showToast } from "../../ui/toasts.tsx";
import { useFilter } from "../../ui/use-filter.ts";
import { ExposureDialog } from "./exposure-dialog.tsx";
import { KIND_TITLES, PROTOCOL_TITLES } from "./protocol-titles.ts";

const KINDS: readonly { value: ExposureKind | ""; label: string }[] = [
  { value: "", label: "All" },
  { value: "workflow", label: "Workflows" },
  { value: "agent", label: "Agents" },
  { value: "team", label: "Teams" },
  { value: "documents", label: "Documents" },
];

const protocolColumn = (protocol: Protocol): Column<Exposure> => ({
  title: PROTOCOL_TITLES[protocol],
  cell: (exposure) => <ProtocolSwitch exposure={exposure} protocol={protocol} />,
});

/** Every record with its switches; a change takes effect with the next request of a client. */
export function ExposureList() {
  const [filter, setKind] = useFilter("kind");
  const kind = KINDS.find(({ value }) => value === filter)?.value ?? "";
  const [editing, setEditing] = useState<Exposure>();
  const exposures = useExposurePages(kind);
  const columns: Column<Exposure>[] = [
    { title: "Name", cell: (exposure) => <RecordName exposure={exposure} /> },
    {
      title: "Tool or model name",
      wideOnly: true,
      cell: ({ name, mcp, a2a, chat }) =>
        mcp || a2a || chat ? <code className="breakable">{name}</code> : <span className="muted">Off</span>,
    },
    protocolColumn("mcp"),
    protocolColumn("a2a"),
    protocolColumn("chat"),
    {
      title: "Actions",
      hideTitle: true,
      actions: true,
      cell: (exposure) => (
        <EditButton
          may="changeExposure"
          label={`Edit name and description of ${exposure.title}`}
          onClick={() => setEditing(exposure)}
        />
      ),
    },
  ];
  return (
    <>
      <p className="muted">
        Switch on what clients may use: as a tool in Claude, Cursor or VS Code (MCP), as an agent of other
        agents (A2A), or as a model of any chat client. Clients use the live version.
      </p>
      <div className="row wrap">
        <Segments label="Kind" value={kind} onChange={setKind} options={KINDS} />
      </div>
      <RecordTable
        list={exposures}
        columns={columns}
        keyOf={({ kind: of, recordId }) => `${of} ${recordId}`}
        empty={
          <Empty
            title="Nothing to switch on yet"
            action={
              <Link
                href={kind === "" ? "/workflows" : `/${kind === "documents" ? kind : `${kind}s`}`}
                className="btn"
              >
                {kind === "agent" ? "Agents" : kind === "team" ? "Teams" : "Workflows"}
              </Link>
            }
          >
            Published workflows, agents and teams appear here.
          </Empty>
        }
      />
      {editing !== undefined && <ExposureDialog exposure={editing} onClose={() => setEditing(undefined)} />}
    </>
  );
}

function RecordName({ exposure: { kind, recordId, title, paused } }: { exposure: Exposure }) {
  const link = kind === "documents" ? "/documents" : `/${kind}s/${recordId}`;
  return (
    <span className="exposed-record">
      <Link href={link} className="few-lines breakable">
        {title}
      </Link>
      {kind !== "documents" && <span className="muted small">{KIND_TITLES[kind]}</span>}
      {paused === true && (
        <span className="chip wait" title="No client sees a paused workflow">
          Paused
        </span>
      )}
    </span>
  );
}

function ProtocolSwitch({ exposure, protocol }: { exposure: Exposure; protocol: Protocol }) {
  const change = useChangeExposure(exposure);
  const name = `${PROTOCOL_TITLES[protocol]} for ${exposure.title}`;
  if (!exposure.protocols.includes(protocol))
    return exposure[protocol] ? (
      <span
        className="muted small"
        title="A team is always an A2A agent, for callers with its secret or an API key"
      >
        Always
      </span>
    ) : (
      <span className="muted" aria-label="Not available">
        –
      </span>
    );
  // Until the list is read again, the switch shows what was chosen.
  const chosen = change.isPending ? change.variables[protocol] : undefined;
  return (
    <Switch
      name={name}
      checked={chosen ?? exposure[protocol]}
      disabled={change.isPending}
      may="changeExposure"
      onChange={(on) =>
        change.mutate({ [protocol]: on }, { onError: (error) => showToast(messageOf(error)) })
      }
    />
  );
}
