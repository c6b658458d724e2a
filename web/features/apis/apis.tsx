import { useState } from "react";
import { useLocation } from "wouter";
import { type AppSummary, useApps } from "../../api/apps.ts";
import { AppTile } from "../../ui/app-tile.tsx";
import { NewButton } from "../../ui/new-button.tsx";
import { Screen } from "../../ui/screen.tsx";
import { Empty, Loaded } from "../../ui/states.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { ConnectionTabs } from "../connections/connection-tabs.tsx";
import "../connections/connections.css";
import { AddApi } from "./add-api.tsx";
import { ApiPanel } from "./api-panel.tsx";

/** Apps that the user made from OpenAPI documents. */
export function Apis({ params: { id } }: { params: { id?: string | undefined } }) {
  const [, navigate] = useLocation();
  const apps = useApps();
  const [isAdding, setAdding] = useState(false);
  const open = (openId: string): void => navigate(`/connections/apis/${openId}`);
  return (
    <Screen
      title="Connections"
      titleInfo={<span className="muted small wide-only">Services with an OpenAPI document</span>}
      actions={
        <NewButton may="importApp" onClick={() => setAdding(true)}>
          Add an API
        </NewButton>
      }
    >
      <div className={`connections${id === undefined ? "" : " with-panel"}`}>
        <div className="page">
          <ConnectionTabs />
          <Loaded query={apps}>
            {(list) => {
              const own = list.filter(({ isOwn }) => isOwn);
              return own.length === 0 ? (
                <Empty title="No APIs yet">
                  Add the OpenAPI document of a service. Its operations become actions with forms in the step
                  picker, and its logins become connections.
                </Empty>
              ) : (
                <Table columns={columns(id, open)} rows={own} keyOf={(one) => one.id} />
              );
            }}
          </Loaded>
        </div>
        {id !== undefined && <ApiPanel key={id} id={id} onClose={() => navigate("/connections/apis")} />}
      </div>
      {isAdding && (
        <AddApi
          onAdded={(added) => {
            setAdding(false);
            open(added);
          }}
          onClose={() => setAdding(false)}
        />
      )}
    </Screen>
  );
}

function columns(openId: string | undefined, open: (id: string) => void): Column<AppSummary>[] {
  return [
    {
      title: "API",
      cell: ({ id, title, icon, description }) => (
        <div className="row connection-name">
          <AppTile icon={icon} size="large" />
          <div className="grow">
            <button
              type="button"
              className="link-button ellipsis"
              aria-current={id === openId ? "true" : undefined}
              onClick={() => open(id)}
            >
              {title}
            </button>
            <div className="small muted ellipsis">{description}</div>
          </div>
        </div>
      ),
    },
    { title: "Shown actions", wideOnly: true, cell: ({ actions }) => actions.length },
    {
      title: "Status",
      cell: ({ connected }) =>
        connected ? (
          <span className="chip dot ok">Connected</span>
        ) : (
          <span className="chip">Not connected</span>
        ),
    },
  ];
}
