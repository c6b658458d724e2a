import { useState } from "react";
import { Link, useLocation } from "wouter";
import { type AppSummary, useApps } from "../../api/apps.ts";
import { type Connection, type ListedConnection, useConnections } from "../../api/connections.ts";
import { connectionKindForms } from "../../flow/connection-kinds.ts";
import type { Wanted } from "../../flow/wanted-connection.ts";
import { Ago } from "../../ui/ago.tsx";
import { AppTile } from "../../ui/app-tile.tsx";
import { NewButton } from "../../ui/new-button.tsx";
import { Screen } from "../../ui/screen.tsx";
import { Segments } from "../../ui/segments.tsx";
import { Empty, Loaded } from "../../ui/states.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { useFilter } from "../../ui/use-filter.ts";
import { ConnectionPanel } from "./connection-panel.tsx";
import { ConnectionStatus, needsAttention } from "./connection-status.tsx";
import { ConnectionTabs } from "./connection-tabs.tsx";
import { ConnectionTile } from "./connection-tile.tsx";
import "./connections.css";
import { NewConnection } from "./new-connection.tsx";

/** Credentials that steps, triggers and agents use: what works, what does not, and who uses it. */
export function Connections({ params: { id } }: { params: { id?: string | undefined } }) {
  const [, navigate] = useLocation();
  const connections = useConnections();
  const [adding, setAdding] = useState<Wanted>();
  const [search, setSearch] = useFilter("search");
  const [show, setShow] = useFilter("show");
  const all = connections.data ?? [];
  const open = (openId: string): void => navigate(`/connections/${openId}${location.search}`);
  const close = (): void => navigate(`/connections${location.search}`);
  const waiting = all.filter(needsAttention);
  const shown = (show === "attention" ? waiting : all).filter((one) => isFound(one, search));
  return (
    <Screen
      title="Connections"
      titleInfo={<span className="muted small wide-only">Credentials that steps and triggers use</span>}
      actions={
        <NewButton may="createConnection" onClick={() => setAdding({})}>
          New connection
        </NewButton>
      }
    >
      <div className={`connections${id === undefined ? "" : " with-panel"}`}>
        <div className="page">
          <ConnectionTabs />
          <Loaded query={connections}>
            {(list) =>
              list.length === 0 ? (
                <Empty title="No connections yet">
                  A connection holds the credential of a service. It is stored encrypted, never shown again
                  and sent only to the hosts of the service. Choose an app below, or any API with a key.
                </Empty>
              ) : (
                <>
                  <div className="row wrap">
                    <input
                      className="in connection-search"
                      type="search"
                      aria-label="Search connections"
                      placeholder="Search connections"
                      value={search}
                      onChange={(event) => setSearch(event.target.value)}
                    />
                    <Segments
                      label="Show"
                      value={show === "attention" ? "attention" : "all"}
                      onChange={(value) => setShow(value === "all" ? "" : value)}
                      options={[
                        { value: "all", label: `All ${list.length}` },
                        { value: "attention", label: `Needs attention ${waiting.length}` },
                      ]}
                    />
                  </div>
                  {shown.length === 0 ? (
                    <p className="muted small">
                      {show === "attention" && search === ""
                        ? "All connections work."
                        : "No connection has this name."}
                    </p>
                  ) : (
                    <Table columns={columns(id, open)} rows={shown} keyOf={(one) => one.id} />
                  )}
                </>
              )
            }
          </Loaded>
          <ConnectApp onChoose={(app) => setAdding({ app })} />
        </div>
        {id !== undefined && <ConnectionPanel key={id} id={id} onClose={close} />}
      </div>
      {adding !== undefined && (
        <NewConnection
          wanted={adding}
          onCreated={(created) => {
            setAdding(undefined);
            open(created.id);
          }}
          onClose={() => setAdding(undefined)}
        />
      )}
    </Screen>
  );
}

function isFound({ name, account, hosts, app, kind }: Connection, search: string): boolean {
  const texts = [name, account ?? "", app ?? "", connectionKindForms[kind].title, ...hosts];
  return texts.join("\n").toLowerCase().includes(search.trim().toLowerCase());
}

/** Whose it is, or where it leads. */
function detailOf({ account, hosts, settings }: Connection): string {
  const host = settings["host"] ?? settings["endpoint"];
  return account ?? hosts[0] ?? (typeof host === "string" ? host : "");
}

function columns(openId: string | undefined, open: (id: string) => void): Column<ListedConnection>[] {
  return [
    {
      title: "Connection",
      cell: (connection) => (
        <div className="row connection-name">
          <ConnectionTile connection={connection} />
          <div className="grow">
            <button
              type="button"
              className="link-button ellipsis"
              aria-current={connection.id === openId ? "true" : undefined}
              onClick={() => open(connection.id)}
            >
              {connection.name}
            </button>
            <div className="small muted ellipsis">{detailOf(connection)}</div>
          </div>
        </div>
      ),
    },
    { title: "Kind", wideOnly: true, cell: ({ kind }) => connectionKindForms[kind].title },
    { title: "App", wideOnly: true, cell: ({ app }) => <AppName app={app} /> },
    { title: "Status", cell: (connection) => <ConnectionStatus connection={connection} /> },
    {
      title: "Used by",
      wideOnly: true,
      cell: ({ uses }) => (uses === 0 ? <span className="muted">Nothing</span> : uses),
    },
    {
      title: "Last test",
      wideOnly: true,
      muted: true,
      cell: ({ lastTestAt }) => (lastTestAt === null ? "Never" : <Ago at={lastTestAt} />),
    },
  ];
}

function AppName({ app }: { app: string | null }) {
  const apps = useApps(app !== null).data;
  return <>{apps?.find(({ id }) => id === app)?.title ?? app ?? ""}</>;
}

const FEW_APPS = 8;

/** Apps without a connection first: the others are in the list above. */
function ConnectApp({ onChoose }: { onChoose: (app: string) => void }) {
  const apps = useApps().data ?? [];
  const [isAll, setAll] = useState(false);
  if (apps.length === 0) return null;
  const sorted = apps.toSorted(
    (a, b) => Number(a.connected) - Number(b.connected) || a.title.localeCompare(b.title),
  );
  const shown: readonly AppSummary[] = isAll ? sorted : sorted.slice(0, FEW_APPS);
  return (
    <section className="stack tight" aria-label="Connect an app">
      <div className="row">
        <h2>Connect an app</h2>
        <span className="muted small grow">
          {apps.length} {apps.length === 1 ? "app" : "apps"}
        </span>
        <Link href="/connections/apis" className="small">
          Add an API
        </Link>
        {apps.length > FEW_APPS && (
          <button type="button" className="link-button small" onClick={() => setAll(!isAll)}>
            {isAll ? "Show fewer" : "Browse all"}
          </button>
        )}
      </div>
      <div className="app-cards">
        {shown.map(({ id, title, icon }) => (
          <button key={id} type="button" className="app-card" onClick={() => onChoose(id)}>
            <AppTile icon={icon} size="large" />
            <b className="ellipsis">{title}</b>
          </button>
        ))}
      </div>
    </section>
  );
}
