import { useId } from "react";
import { useApps } from "../../api/apps.ts";
import type { ConnectionKind } from "../../../contract/connections.ts";
import { connectionKindForms } from "../../flow/connection-kinds.ts";
import type { N8nNeed } from "../../flow/n8n-needs.ts";
import { BY_HTTP } from "../../flow/wanted-connection.ts";
import { ConnectionPicker } from "../connections/connection-picker.tsx";
import { ConnectionTile } from "../connections/connection-tile.tsx";

interface ConnectionChoicesProps {
  needs: readonly N8nNeed[];
  /** Ids of connections, by the key of their need. */
  chosen: Readonly<Record<string, string>>;
  onChoose: (key: string, id: string | undefined) => void;
}

/** A connection for each credential of the file. They can be chosen later, too. */
export function ConnectionChoices({ needs, chosen, onChoose }: ConnectionChoicesProps) {
  const open = needs.filter(({ key }) => (chosen[key] ?? "") === "").length;
  return (
    <section className="card n8n-connections" aria-label="Connections">
      <header className="row wrap">
        <h3>Connections</h3>
        <span className="small muted">
          {open === 0
            ? "All chosen."
            : "Credentials are not in the file. You can also choose them in the builder."}
        </span>
      </header>
      <div className="n8n-needs">
        {needs.map((need) => (
          <Choice
            key={need.key}
            need={need}
            value={chosen[need.key]}
            onChange={(id) => onChoose(need.key, id)}
          />
        ))}
      </div>
    </section>
  );
}

interface ChoiceProps {
  need: N8nNeed;
  value: string | undefined;
  onChange: (id: string | undefined) => void;
}

function Choice({ need, value = "", onChange }: ChoiceProps) {
  const { app, wanted, kind, credential, nodes } = need;
  const id = useId();
  const apps = useApps(app !== undefined).data;
  const shownKind = wanted.kinds?.length === 1 ? wanted.kinds[0] : (kind as ConnectionKind);
  const kindTitle =
    app === undefined
      ? (databaseTitle(need) ?? connectionKindForms[shownKind ?? "headers"].title)
      : (apps?.find((one) => one.id === app)?.title ?? app);
  // Several credentials have the same kind: their names tell them apart.
  const isHttp = wanted === BY_HTTP;
  const details = [
    ...(isHttp ? [kindTitle] : credential === undefined ? [] : [`“${credential}” in n8n`]),
    nodes.length === 1 ? nodes[0] : `${nodes.length} nodes`,
  ];
  return (
    <div className="n8n-need">
      <ConnectionTile connection={{ app: app ?? null, kind: shownKind ?? "headers" }} />
      <div className="stack tight">
        <label htmlFor={id}>
          <b>{isHttp ? (credential ?? nodes[0]) : kindTitle}</b>
          <span className="xs muted">{details.join(" · ")}</span>
        </label>
        <ConnectionPicker
          ids={{ id }}
          wanted={wanted}
          value={value === "" ? undefined : value}
          onChange={onChange}
        />
      </div>
    </div>
  );
}

const DATABASE_TITLES: Readonly<Record<string, string>> = {
  postgres: "PostgreSQL",
  mysql: "MySQL",
  redis: "Redis",
};

function databaseTitle({ wanted: { databases } }: N8nNeed): string | undefined {
  return databases?.length === 1 ? DATABASE_TITLES[databases[0] ?? ""] : undefined;
}
