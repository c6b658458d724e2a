import { useState } from "react";
import type { AppAuth } from "../../../contract/apps.ts";
import type { ConnectionKind } from "../../../contract/connections.ts";
import { type AppSummary, useApp, useApps } from "../../api/apps.ts";
import type { Connection } from "../../api/connections.ts";
import { connectionKindForms, connectionKinds } from "../../flow/connection-kinds.ts";
import { type ModelService, modelServices } from "../../flow/model-services.ts";
import type { Wanted } from "../../flow/wanted-connection.ts";
import { AppTile } from "../../ui/app-tile.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { SelectField } from "../../ui/field.tsx";
import { PickList } from "../../ui/pick-list.tsx";
import { Loaded } from "../../ui/states.tsx";
import { NewConnectionForm } from "./connection-form.tsx";
import { ConnectionTile } from "./connection-tile.tsx";

interface NewConnectionProps {
  wanted?: Wanted;
  onCreated: (connection: Pick<Connection, "id" | "name"> & { hosts?: readonly string[] }) => void;
  onClose: () => void;
}

/** Chooses an app or a kind, then asks for the credential. */
export function NewConnection({ wanted = {}, onCreated, onClose }: NewConnectionProps) {
  const { app: wantedApp, kinds = connectionKinds } = wanted;
  const only = kinds.length === 1 ? kinds[0] : undefined;
  const [chosen, setChosen] = useState<Choice | undefined>(
    wantedApp === undefined ? (only === undefined ? undefined : { kind: only }) : { app: wantedApp },
  );
  const title = useTitle(chosen);
  return (
    <Dialog title={title} onClose={onClose}>
      {chosen === undefined ? (
        <ChooseSubject kinds={kinds} ofModels={wanted.models} onChoose={setChosen} />
      ) : "app" in chosen ? (
        <AppForm appId={chosen.app} onCreated={onCreated} />
      ) : (
        <NewConnectionForm subject={chosen} onCreated={onCreated} />
      )}
    </Dialog>
  );
}

type Choice = { app: string } | { kind: ConnectionKind; service?: ModelService | undefined };

function useTitle(chosen: Choice | undefined): string {
  const apps = useApps().data;
  if (chosen === undefined) return "New connection";
  if ("kind" in chosen) return chosen.service?.title ?? connectionKindForms[chosen.kind].title;
  return `Connect ${apps?.find(({ id }) => id === chosen.app)?.title ?? "app"}`;
}

interface ChooseSubjectProps {
  kinds: readonly ConnectionKind[];
  /** Only a language model is wanted. */
  ofModels?: true | undefined;
  onChoose: (choice: Choice) => void;
}

function ChooseSubject({ kinds, ofModels, onChoose }: ChooseSubjectProps) {
  const [search, setSearch] = useState("");
  const apps = useApps().data ?? [];
  // An app signs in over HTTP; a place for databases or mail servers has no use for one.
  const usesApps = !ofModels && kinds.some((kind) => connectionKindForms[kind].hasHosts);
  const words = search.toLowerCase();
  const has = (...texts: string[]): boolean => texts.some((text) => text.toLowerCase().includes(words));
  const items = [
    ...(usesApps ? apps : [])
      .filter(({ title, synonyms }: AppSummary) => has(title, ...synonyms))
      .map(({ id, title, icon, description }) => ({
        key: `app:${id}`,
        title,
        detail: description,
        icon: <AppTile icon={icon} size="large" />,
      })),
    ...modelServices
      .filter(
        ({ kind, title, text: detail, synonyms }) => kinds.includes(kind) && has(title, detail, ...synonyms),
      )
      .map(({ id, title, text: detail, kind }) => ({
        key: `model:${id}`,
        title,
        detail,
        icon: <ConnectionTile connection={{ app: null, kind }} />,
      })),
    ...kinds
      .filter((kind) => has(connectionKindForms[kind].title, connectionKindForms[kind].text))
      .map((kind) => ({
        key: `kind:${kind}`,
        title: connectionKindForms[kind].title,
        detail: connectionKindForms[kind].text,
        icon: <ConnectionTile connection={{ app: null, kind }} />,
      })),
  ];
  return (
    <PickList
      label="Search apps and kinds"
      placeholder="Search apps, or a kind such as API key, OAuth or database"
      text={search}
      onText={setSearch}
      items={items}
      emptyMessage="No app and no kind has this name. An API key or a bearer token works with most services."
      onPick={(key) => {
        const [type, id = ""] = key.split(/:(.*)/s);
        const service = type === "model" ? modelServices.find((one) => one.id === id) : undefined;
        if (type === "app") onChoose({ app: id });
        else onChoose({ kind: service?.kind ?? (id as ConnectionKind), service });
      }}
    />
  );
}

const AUTH_TITLES: Readonly<Record<AppAuth["kind"], string>> = {
  oauth2: "Sign in (OAuth)",
  bearer: "Access token",
  api_key: "API key",
  basic: "User and password",
  headers: "Several headers",
};

function wayTitle(auth: AppAuth): string {
  const isClient = auth.kind === "oauth2" && auth.grant === "client_credentials";
  return isClient ? "Client credentials (OAuth)" : AUTH_TITLES[auth.kind];
}

function AppForm({ appId, onCreated }: { appId: string; onCreated: NewConnectionProps["onCreated"] }) {
  const app = useApp(appId, []);
  const [way, setWay] = useState(0);
  return (
    <Loaded query={app}>
      {(details) => {
        const auth = details.auth[way] ?? details.auth[0];
        if (auth === undefined) return <p>{details.title} needs no connection.</p>;
        return (
          <div className="stack">
            {details.auth.length > 1 && (
              <SelectField
                label="Access"
                value={String(way)}
                onChange={(next) => setWay(Number(next))}
                options={details.auth.map((each, index) => ({
                  value: String(index),
                  label: each.title ?? wayTitle(each),
                }))}
              />
            )}
            <NewConnectionForm key={way} subject={{ app: details, auth }} onCreated={onCreated} />
          </div>
        );
      }}
    </Loaded>
  );
}
