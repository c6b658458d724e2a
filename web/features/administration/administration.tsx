import { useParams } from "wouter";
import { useMe } from "../../api/accounts.ts";
import { Screen } from "../../ui/screen.tsx";
import { Empty, Skeleton } from "../../ui/states.tsx";
import { TabLinks } from "../../ui/tab-links.tsx";
import { OauthClientList } from "../connections/oauth-client-list.tsx";
import { InstanceLog } from "./instance-log.tsx";
import { Running } from "./running.tsx";
import { Storage } from "./storage.tsx";
import { Users } from "./users.tsx";
import { Workspaces } from "./workspaces.tsx";
import "./administration.css";

const TABS = [
  ["", "Users", Users],
  ["workspaces", "Workspaces", Workspaces],
  ["running", "Running", Running],
  ["storage", "Storage", Storage],
  ["audit-log", "Audit log", InstanceLog],
  ["oauth-clients", "OAuth clients", AdminOauthClients],
] as const;

function AdminOauthClients() {
  const me = useMe().data;
  return (
    <section className="stack" aria-label="OAuth clients">
      <h2>OAuth clients</h2>
      {me !== undefined && <OauthClientList workspaceId={me.id} />}
    </section>
  );
}

const addressOf = (tab: string): string => (tab === "" ? "/administration" : `/administration/${tab}`);

/** What belongs to the instance and not to a workspace. For its administrators. */
export function Administration() {
  const { tab = "" } = useParams<{ tab?: string }>();
  const me = useMe().data;
  const [, , Content] = TABS.find(([path]) => path === tab) ?? TABS[0];
  return (
    <Screen title="Administration">
      <div className="page">
        {me === undefined ? (
          <Skeleton rows={4} />
        ) : me.isAdministrator ? (
          <>
            <TabLinks
              label="Administration"
              tabs={TABS.map(([path, label]) => ({ to: addressOf(path), label }))}
              current={addressOf(tab)}
            />
            <Content />
          </>
        ) : (
          <Empty title="For administrators">
            Accounts, limits and storage of this instance are managed by its administrators. Ask one of them.
          </Empty>
        )}
      </div>
    </Screen>
  );
}
