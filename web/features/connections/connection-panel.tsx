import { Play, Trash2 } from "lucide-react";
import { useState } from "react";
import {
  type ConnectionDetails,
  testConnection,
  updateConnection,
  useConnection,
  useConnectionMutation,
} from "../../api/connections.ts";
import { connectionKindForms } from "../../flow/connection-kinds.ts";
import { TextField } from "../../ui/field.tsx";
import { useShortcuts } from "../../ui/shortcuts.ts";
import { Failure, Loaded } from "../../ui/states.tsx";
import { dateTime, shortDateTime } from "../../ui/time.ts";
import { ConnectionStatus } from "./connection-status.tsx";
import { ConnectionTile } from "./connection-tile.tsx";
import { DeleteConnection } from "./delete-connection.tsx";
import { Reconnect } from "./reconnect.tsx";
import { TestResult } from "./test-result.tsx";
import { UsedBy } from "./used-by.tsx";
import { ClosePanelButton } from "../../ui/close-panel-button.tsx";

/** One connection: its problem and the fix first, then its settings and what uses it. */
export function ConnectionPanel({ id, onClose }: { id: string; onClose: () => void }) {
  const connection = useConnection(id);
  useShortcuts({ Escape: onClose });
  return (
    <aside className="connection-panel" aria-label={connection.data?.name ?? "Connection"}>
      <Loaded query={connection}>
        {(data) => <Details key={data.id} connection={data} onClose={onClose} />}
      </Loaded>
    </aside>
  );
}

function Details({ connection, onClose }: { connection: ConnectionDetails; onClose: () => void }) {
  const { id, kind, createdAt, problem, status, canManage } = connection;
  const [name, setName] = useState(connection.name);
  const [isDeleting, setDeleting] = useState(false);
  const rename = useConnectionMutation(() => updateConnection(id, { name }));
  const test = useConnectionMutation(() => testConnection(id));
  return (
    <>
      <header className="row">
        <ConnectionTile connection={connection} />
        <div className="grow">
          <h2 className="ellipsis">{connection.name}</h2>
          <p className="xs muted" title={dateTime(createdAt)}>
            {connectionKindForms[kind].title} · created {shortDateTime(createdAt)}
          </p>
        </div>
        <ClosePanelButton onClick={onClose} />
      </header>
      <div className="connection-body">
        {problem !== null && (
          <div className="notice bad" role="status">
            <span>
              <b>Failed {shortDateTime(problem.at)}.</b> {problem.message}
            </span>
          </div>
        )}
        <Reconnect connection={connection} primary={problem !== null || status === "authorization_needed"} />
        {canManage ? (
          <form
            id="connection-name"
            className="stack"
            onSubmit={(event) => {
              event.preventDefault();
              rename.mutate(undefined);
            }}
          >
            <TextField label="Name" value={name} onChange={setName} required />
          </form>
        ) : (
          <p className="small muted">
            Another member created it. You can use it in steps; its settings are visible to that member and to
            admins.
          </p>
        )}
        {rename.error !== null && <Failure error={rename.error} />}
        <Facts connection={connection} />
        <UsedBy uses={connection.usedBy} />
        {test.data !== undefined && (test.data.status !== "failing" || problem === null) && (
          <TestResult result={test.data} />
        )}
        {test.error !== null && <Failure error={test.error} />}
      </div>
      {canManage && (
        <footer className="row">
          <button type="button" className="btn ghost" onClick={() => setDeleting(true)}>
            <Trash2 size={14} /> Delete
          </button>
          <span className="grow" />
          <button
            type="button"
            className="btn"
            disabled={test.isPending}
            onClick={() => test.mutate(undefined)}
          >
            <Play size={14} /> {test.isPending ? "Testing…" : "Test"}
          </button>
          <button
            type="submit"
            form="connection-name"
            className="btn go"
            disabled={rename.isPending || name === connection.name}
          >
            Save
          </button>
        </footer>
      )}
      {isDeleting && (
        <DeleteConnection connection={connection} onDeleted={onClose} onClose={() => setDeleting(false)} />
      )}
    </>
  );
}

function Facts({ connection }: { connection: ConnectionDetails }) {
  const { account, hosts, settings, fields } = connection;
  const scopes = Array.isArray(settings["scopes"]) ? (settings["scopes"] as string[]) : [];
  return (
    <dl className="connection-facts">
      <div>
        <dt>Status</dt>
        <dd>
          <ConnectionStatus connection={connection} />
        </dd>
      </div>
      {account !== null && <Fact name="Account" value={account} />}
      {hosts.length > 0 && <Fact name="Hosts" value={hosts.join(", ")} />}
      {Object.entries(fields).map(([field, value]) => (
        <Fact key={field} name={field} value={value} />
      ))}
      {scopes.length > 0 && <Fact name="Permissions" value={scopes.join(", ")} />}
    </dl>
  );
}

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd className="breakable">{value}</dd>
    </div>
  );
}
