import { Screen } from "../../ui/screen.tsx";
import { ConnectionTabs } from "./connection-tabs.tsx";
import { OauthClientList } from "./oauth-client-list.tsx";

/** Among the connections of a workspace, where builders see which apps can be connected. */
export function OauthClients() {
  return (
    <Screen title="Connections">
      <div className="page">
        <ConnectionTabs />
        <OauthClientList />
      </div>
    </Screen>
  );
}
