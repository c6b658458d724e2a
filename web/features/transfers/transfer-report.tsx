import type { TransferConflict, TransferNeeds, TransferUse } from "../../../contract/transfers.ts";
import type { TransferKind, TransferReport, Verb } from "../../api/transfers.ts";
import "./transfers.css";

const CONFLICTS: Readonly<Record<TransferConflict["kind"], (name: string) => string>> = {
  run: () => "A run has not ended. Wait for it or cancel it.",
  session: () => "A session has not ended. Wait for it or cancel it.",
  webhook: (name) => `The workspace has a webhook with the source ${name}. Change one of the two.`,
  exposure: (name) => `The workspace has a record with the name ${name} for clients. Change one of the two.`,
  document: () => "The workspace has a document with the same file.",
  ingestion: (name) => `The document is ${name}. It must be indexed first.`,
  move: () => "An earlier move has not ended. Try again in a minute.",
};
const NEEDS: readonly [keyof Omit<TransferNeeds, "variables" | "endpoint">, string][] = [
  ["connections", "Connections"],
  ["workflows", "Workflows"],
  ["agents", "Agents"],
  ["documents", "Documents"],
  ["collections", "Collections"],
  ["mcpServers", "MCP servers"],
  ["apps", "Apps"],
];
const STARTERS = ["webhooks", "schedules", "triggers"] as const;
const USES: Readonly<Record<TransferUse["kind"], string>> = {
  workflow: "Workflow",
  agent: "Agent",
  team: "Team",
  trigger: "Trigger",
  collection: "Collection",
};

interface ReportProps {
  report: TransferReport;
  kind: TransferKind;
  verb: Verb;
  /** The name of the other workspace. */
  workspace: string;
}

/** What prevents it, what the other workspace lacks, and what here no longer finds it. */
export function Report({ report: { needed, conflicts, usedBy = [] }, kind, verb, workspace }: ReportProps) {
  const missing = [
    ...NEEDS.map(([key, label]) => ({ label, names: needed[key].map(({ name }) => name) })),
    { label: "Variables and secrets", names: needed.variables },
  ].filter(({ names }) => names.length > 0);
  const starters = STARTERS.flatMap((key) => needed[key].map(({ name }) => name));
  return (
    <div className="stack tight small" role="status">
      {conflicts.length > 0 && (
        <ul className="notice bad transfer-list" aria-label="Not possible now">
          {[...new Set(conflicts.map((conflict) => CONFLICTS[conflict.kind](conflict.name)))].map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      )}
      {missing.length === 0 ? (
        // A document refers to nothing.
        kind !== "document" && <p>{workspace} has everything that it refers to.</p>
      ) : (
        <>
          <p>Missing in {workspace}. Add or replace them there:</p>
          <ul className="transfer-list">
            {missing.map(({ label, names }) => (
              <li key={label}>
                {label}: {names.join(", ")}
              </li>
            ))}
          </ul>
        </>
      )}
      {kind === "workflow" && starters.length > 0 && (
        <p>
          {verb === "copy" ? "Stay here" : "Go along"}: {starters.join(", ")}
        </p>
      )}
      {usedBy.length > 0 && (
        <>
          <p>These no longer find it:</p>
          <ul className="transfer-list">
            {usedBy.map(({ kind: of, id, name }) => (
              <li key={id}>
                {USES[of]} {name}
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}
