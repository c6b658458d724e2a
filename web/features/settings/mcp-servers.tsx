import { useState } from "react";
import {
  authorizeMcpServer,
  deleteMcpServer,
  disconnectMcpServer,
  type McpServer,
  testMcpServer,
  useMcpServerMutation,
  useMcpServerPages,
} from "../../api/mcp-servers.ts";
import { useConnections } from "../../api/connections.ts";
import { NewButton } from "../../ui/new-button.tsx";
import { RecordTable } from "../../ui/record-table.tsx";
import { DeleteButton, EditButton } from "../../ui/row-actions.tsx";
import { Screen } from "../../ui/screen.tsx";
import { Empty, Failure } from "../../ui/states.tsx";
import type { Column } from "../../ui/table.tsx";
import { McpServerDialog } from "./mcp-server-dialog.tsx";
import { McpToolsDialog } from "./mcp-tools-dialog.tsx";
import { SettingsTabs } from "./settings-tabs.tsx";

/** MCP servers that steps and agents use: add, connect, test, and see their tools. */
export function McpServers() {
  const [editing, setEditing] = useState<McpServer | "new">();
  const [showing, setShowing] = useState<McpServer>();
  const servers = useMcpServerPages();
  // The sign-in is in the same tab: a blocker of pop-ups cannot stop it.
  const connect = useMcpServerMutation(authorizeMcpServer, (url) => location.assign(url));
  const columns: Column<McpServer>[] = [
    {
      title: "Name",
      cell: (server) => (
        <button type="button" className="link-button" onClick={() => setShowing(server)}>
          {server.name}
        </button>
      ),
    },
    {
      title: "Address",
      wideOnly: true,
      cell: ({ url, stdio }) => <code className="breakable few-lines">{url ?? `stdio: ${stdio}`}</code>,
    },
    { title: "Authentication", cell: (server) => <AccessChip server={server} /> },
    { title: "Test", hideTitle: true, cell: (server) => <TestServer server={server} /> },
    {
      title: "Actions",
      hideTitle: true,
      actions: true,
      cell: (server) => (
        <ServerActions
          server={server}
          isConnecting={connect.isPending}
          onConnect={() => connect.mutate(server.id)}
          onEdit={() => setEditing(server)}
        />
      ),
    },
  ];
  return (
    <Screen
      title="Settings"
      actions={
        <NewButton may="createMcpServer" onClick={() => setEditing("new")}>
          Add MCP server
        </NewButton>
      }
    >
      <div className="page">
        <SettingsTabs />
        {connect.error !== null && <Failure error={connect.error} />}
        <RecordTable
          list={servers}
          columns={columns}
          keyOf={({ id }) => id}
          empty={
            <Empty title="No MCP servers yet">
              Add a server to use its tools, resources and prompts in workflows and agents. Its credentials
              are stored encrypted.
            </Empty>
          }
        />
      </div>
      {editing !== undefined && (
        <McpServerDialog
          server={editing === "new" ? undefined : editing}
          onClose={() => setEditing(undefined)}
        />
      )}
      {showing !== undefined && <McpToolsDialog server={showing} onClose={() => setShowing(undefined)} />}
    </Screen>
  );
}

interface ServerActionsProps {
  server: McpServer;
  isConnecting: boolean;
  onConnect: () => void;
  onEdit: () => void;
}

function ServerActions({ server, isConnecting, onConnect, onEdit }: ServerActionsProps) {
  const { id, name, authorization } = server;
  const remove = useMcpServerMutation(deleteMcpServer);
  const disconnect = useMcpServerMutation(disconnectMcpServer);
  return (
    <>
      {authorization === "needed" && (
        <button type="button" className="btn tiny go" disabled={isConnecting} onClick={onConnect}>
          Connect<span className="visually-hidden"> {name}</span>
        </button>
      )}
      {authorization === "connected" && (
        <button type="button" className="btn tiny" onClick={() => disconnect.mutate(id)}>
          Disconnect<span className="visually-hidden"> {name}</span>
        </button>
      )}
      <EditButton may="updateMcpServer" label={`Edit ${name}`} onClick={onEdit} />
      <DeleteButton
        may="deleteMcpServer"
        label={`Delete ${name}`}
        question={`Delete “${name}”?`}
        consequence="Its credentials are deleted. Steps and agents that use it fail from now on."
        onConfirm={() => remove.mutateAsync(id)}
      />
    </>
  );
}

function AccessChip({ server: { auth, authorization, headerNames, connection } }: { server: McpServer }) {
  if (authorization === "connected") return <span className="chip ok">Connected</span>;
  if (authorization === "needed") return <span className="chip wait">Not connected</span>;
  if (connection !== null) return <ConnectionChip id={connection} />;
  return <span className="chip">{auth === "headers" ? headerNames.join(", ") : "No credentials"}</span>;
}

function ConnectionChip({ id }: { id: string }) {
  const connections = useConnections().data;
  const found = connections?.find((each) => each.id === id);
  if (connections !== undefined && found === undefined)
    return <span className="chip wait">Deleted connection</span>;
  return <span className="chip">{found?.name ?? "Connection"}</span>;
}

function TestServer({ server: { id, name } }: { server: McpServer }) {
  const test = useMcpServerMutation(() => testMcpServer(id));
  const { data } = test;
  return (
    <span className="row small">
      <button
        type="button"
        className="btn tiny"
        disabled={test.isPending}
        onClick={() => test.mutate(undefined)}
      >
        {test.isPending ? "Testing…" : "Test"}
        <span className="visually-hidden"> {name}</span>
      </button>
      <span role="status" className={data?.status === "connected" ? "muted" : "wrong"}>
        {data !== undefined &&
          (data.status === "connected"
            ? `${data.tools} tools, version ${data.protocolVersion}`
            : data.message)}
      </span>
    </span>
  );
}
