import { Plug, RefreshCw, Trash2 } from "lucide-react";
import { useState } from "react";
import { useLocation } from "wouter";
import { type AppDetails, useApp } from "../../api/apps.ts";
import { updateApi, useApiAppMutation } from "../../api/apis.ts";
import { AppTile } from "../../ui/app-tile.tsx";
import { TextField } from "../../ui/field.tsx";
import { useShortcuts } from "../../ui/shortcuts.ts";
import { Failure, Loaded } from "../../ui/states.tsx";
import { shortDateTime } from "../../ui/time.ts";
import { NewConnection } from "../connections/new-connection.tsx";
import { DeleteApi } from "./delete-api.tsx";
import { ServerField } from "./document-fields.tsx";
import { OperationList } from "./operation-list.tsx";
import { RefreshApi } from "./refresh-api.tsx";
import { ClosePanelButton } from "../../ui/close-panel-button.tsx";

/** One API: connect it, choose what the step picker shows, read its document again. */
export function ApiPanel({ id, onClose }: { id: string; onClose: () => void }) {
  const app = useApp(id, []);
  useShortcuts({ Escape: onClose });
  return (
    <aside className="connection-panel" aria-label={app.data?.title ?? "API"}>
      <Loaded query={app}>{(data) => <Details key={data.id} app={data} onClose={onClose} />}</Loaded>
    </aside>
  );
}

type Task = "connect" | "refresh" | "delete";

function Details({ app, onClose }: { app: AppDetails; onClose: () => void }) {
  const { id, title, icon, api, hosts, connected } = app;
  const [, navigate] = useLocation();
  const [name, setName] = useState(title);
  const [server, setServer] = useState(api?.server ?? "");
  const [task, setTask] = useState<Task>();
  const save = useApiAppMutation(() => updateApi(id, { title: name, server }));
  const stopTask = (): void => setTask(undefined);
  return (
    <>
      <header className="row">
        <AppTile icon={icon} size="large" />
        <div className="grow">
          <h2 className="ellipsis">{title}</h2>
          <p className="xs muted">
            {api?.actions} of {api?.operations} operations · read{" "}
            {api === null ? "" : shortDateTime(api.readAt)}
          </p>
        </div>
        <ClosePanelButton onClick={onClose} />
      </header>
      <div className="connection-body">
        <div className="row">
          <button type="button" className={connected ? "btn" : "btn go"} onClick={() => setTask("connect")}>
            <Plug size={14} /> {connected ? "Add a connection" : "Connect"}
          </button>
          {connected && <span className="chip dot ok">Connected</span>}
        </div>
        <form
          id="api-settings"
          className="stack"
          onSubmit={(event) => {
            event.preventDefault();
            save.mutate(undefined);
          }}
        >
          <TextField label="Name" value={name} onChange={setName} required />
          <ServerField value={server} onChange={setServer} servers={api?.servers ?? []} />
        </form>
        {save.error !== null && <Failure error={save.error} />}
        {save.data !== undefined && save.data.reconnect.length > 0 && (
          <p className="notice" role="status">
            Enter the secret again to use this server: {save.data.reconnect.map((one) => one.name).join(", ")}
          </p>
        )}
        <dl className="connection-facts">
          <div>
            <dt>Document</dt>
            <dd className="breakable">{api?.source ?? "Pasted"}</dd>
          </div>
          <div>
            <dt>Hosts</dt>
            <dd className="breakable">{hosts.join(", ")}</dd>
          </div>
        </dl>
        <OperationList id={id} hidden={api?.hidden ?? []} />
      </div>
      <footer className="row">
        <button type="button" className="btn ghost" onClick={() => setTask("delete")}>
          <Trash2 size={14} /> Delete
        </button>
        <span className="grow" />
        <button type="button" className="btn" onClick={() => setTask("refresh")}>
          <RefreshCw size={14} /> Refresh
        </button>
        <button
          type="submit"
          form="api-settings"
          className="btn go"
          disabled={save.isPending || (name === title && server === api?.server)}
        >
          Save
        </button>
      </footer>
      {task === "connect" && <NewConnection wanted={{ app: id }} onCreated={stopTask} onClose={stopTask} />}
      {task === "refresh" && (
        <RefreshApi id={id} title={title} source={api?.source ?? null} onClose={stopTask} />
      )}
      {task === "delete" && (
        <DeleteApi id={id} title={title} onDeleted={() => navigate("/connections/apis")} onClose={stopTask} />
      )}
    </>
  );
}
