import { useState } from "react";
import { useApps } from "../../api/apps.ts";
import {
  deleteOauthClient,
  type OauthClient,
  putOauthClient,
  useConnectionMutation,
  useOauthClients,
} from "../../api/connections.ts";
import { AppTile } from "../../ui/app-tile.tsx";
import { TextField } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { DeleteButton } from "../../ui/row-actions.tsx";
import { Empty, Loaded } from "../../ui/states.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { CopiedValue } from "./copied-value.tsx";
import "./connections.css";

/**
 * The OAuth clients of this instance: entered once by the administrator, used by everyone who connects the app. They belong
 * to no workspace: the administration asks as the owner of the personal one, whatever role the person has in the shown one.
 */
export function OauthClientList({ workspaceId }: { workspaceId?: string }) {
  const clients = useOauthClients(workspaceId);
  const [editing, setEditing] = useState<OauthClient>();
  const remove = useConnectionMutation(deleteOauthClient);
  const columns: Column<OauthClient>[] = [
    { title: "App", cell: (client) => <AppName client={client} /> },
    {
      title: "Client ID",
      wideOnly: true,
      cell: ({ clientId }) => <span className="mono small breakable few-lines">{clientId ?? ""}</span>,
    },
    {
      title: "Status",
      cell: ({ configured }) =>
        configured ? <span className="chip dot ok">Ready</span> : <span className="chip">Not set up</span>,
    },
    {
      title: "Actions",
      hideTitle: true,
      actions: true,
      cell: (client) => (
        <>
          <button type="button" className="btn tiny" onClick={() => setEditing(client)}>
            {client.configured ? "Change" : "Set up"}
            <span className="visually-hidden"> {client.title}</span>
          </button>
          {client.configured && (
            <DeleteButton
              label={`Delete the client of ${client.title}`}
              question="Delete this OAuth client?"
              consequence="New sign-ins stop, and connections that use it cannot renew their access."
              onConfirm={() => remove.mutateAsync(client.app)}
            />
          )}
        </>
      ),
    },
  ];
  return (
    <>
      <p className="small muted">
        To sign in at a service, this instance needs an OAuth client there. Enter each one once; everyone who
        connects the app then only signs in.
      </p>
      <Loaded query={clients}>
        {({ clients: list, administrator }) => (
          <>
            {!administrator && (
              <div className="notice">Only administrators of this instance can change the clients.</div>
            )}
            {list.length === 0 ? (
              <Empty title="No app needs a client">Apps that sign in with OAuth are listed here.</Empty>
            ) : (
              <Table
                columns={columns.filter(({ actions }) => administrator || actions !== true)}
                rows={list}
                keyOf={({ app }) => app}
              />
            )}
          </>
        )}
      </Loaded>
      {editing !== undefined && (
        <ClientDialog
          client={editing}
          redirectUrl={clients.data?.redirectUrl ?? ""}
          onClose={() => setEditing(undefined)}
        />
      )}
    </>
  );
}

function AppName({ client: { app, title } }: { client: OauthClient }) {
  const icon = useApps().data?.find(({ id }) => id === app)?.icon;
  return (
    <span className="row">
      {icon !== undefined && <AppTile icon={icon} />}
      <b>{title}</b>
    </span>
  );
}

interface ClientDialogProps {
  client: OauthClient;
  redirectUrl: string;
  onClose: () => void;
}

function ClientDialog({ client, redirectUrl, onClose }: ClientDialogProps) {
  const [clientId, setClientId] = useState(client.clientId ?? "");
  const [clientSecret, setClientSecret] = useState("");
  const save = useConnectionMutation(() => putOauthClient(client.app, { clientId, clientSecret }), onClose);
  return (
    <FormDialog title={`OAuth client of ${client.title}`} onClose={onClose} action={save} submit="Save">
      <CopiedValue label="Redirect address" value={redirectUrl} />
      <CopiedValue label="Scopes" value={client.scopes.join(" ")} />
      <TextField label="Client ID" value={clientId} onChange={setClientId} required autoComplete="off" />
      <TextField
        label="Client secret"
        value={clientSecret}
        onChange={setClientSecret}
        type="password"
        required
        autoComplete="new-password"
        hint={client.configured ? "The stored one is never shown. Enter it again." : undefined}
      />
    </FormDialog>
  );
}
