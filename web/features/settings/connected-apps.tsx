import { type ConnectedApp, useConnectedApps, useDisconnectApp } from "../../api/oauth.ts";
import { Ago } from "../../ui/ago.tsx";
import { ConfirmButton } from "../../ui/confirm-button.tsx";
import { RecordTable } from "../../ui/record-table.tsx";
import { Screen } from "../../ui/screen.tsx";
import { Empty } from "../../ui/states.tsx";
import type { Column } from "../../ui/table.tsx";
import { SettingsTabs } from "./settings-tabs.tsx";

/** Apps that the user allowed to connect to the MCP server. */
export function ConnectedApps() {
  const apps = useConnectedApps();
  const disconnect = useDisconnectApp();
  const columns: Column<ConnectedApp>[] = [
    { title: "App", cell: (app) => app.name },
    { title: "Returns to", cell: (app) => <code>{app.target}</code> },
    { title: "Connected", wideOnly: true, muted: true, cell: (app) => <Ago at={app.createdAt} /> },
    {
      title: "Last used",
      wideOnly: true,
      muted: true,
      cell: (app) => (app.lastUsedAt === null ? "never" : <Ago at={app.lastUsedAt} />),
    },
    {
      title: "Actions",
      hideTitle: true,
      actions: true,
      cell: (app) => (
        <ConfirmButton
          className="btn tiny danger"
          question={`Disconnect “${app.name}”?`}
          consequence="Its requests are refused from now on. It can ask to connect again."
          confirm="Disconnect"
          onConfirm={() => disconnect.mutateAsync(app.id)}
        >
          Disconnect
        </ConfirmButton>
      ),
    },
  ];
  return (
    <Screen title="Settings">
      <div className="page">
        <SettingsTabs />
        <RecordTable
          list={apps}
          columns={columns}
          keyOf={({ id }) => id}
          empty={
            <Empty title="No connected apps">
              Paste <code>{location.origin}/mcp</code> into Claude, Cursor, VS Code, ChatGPT or another MCP
              client and allow the request. The app is listed here.
            </Empty>
          }
        />
      </div>
    </Screen>
  );
}
