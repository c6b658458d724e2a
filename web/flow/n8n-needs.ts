import type { Connection, ConnectionKind } from "../../contract/connections.ts";
import type { N8nNode } from "../../contract/n8n-import.ts";
import { BY_HTTP, fits, type Wanted } from "./wanted-connection.ts";

/** A connection that nodes of one n8n workflow share. */
export interface N8nNeed {
  key: string;
  wanted: Wanted;
  /** The id of the app, or the kind of connection. */
  app: string | undefined;
  kind: string;
  /** The name of the credential in n8n. */
  credential: string | undefined;
  /** The names of the nodes. */
  nodes: string[];
}

const DATABASES: Readonly<Record<string, readonly string[]>> = {
  postgres: ["postgres"],
  mySql: ["mysql"],
  redis: ["redis"],
};
const OTHER_KINDS: ReadonlySet<string> = new Set(["smtp", "imap", "s3"] satisfies ConnectionKind[]);

/** Each needed connection once: nodes with one credential of n8n share it. */
export function n8nNeeds(nodes: readonly N8nNode[]): N8nNeed[] {
  const needs = new Map<string, N8nNeed>();
  for (const node of nodes) {
    if (node.connection === undefined) continue;
    const { kind, app, credential } = node.connection;
    const wanted = wantedBy(node);
    // Without a credential in the file, nodes that call different hosts have nothing in common.
    const owner = credential ?? (wanted === BY_HTTP ? node.name : "");
    const key = JSON.stringify([wanted, owner]);
    const known = needs.get(key);
    if (known === undefined) needs.set(key, { key, wanted, app, kind, credential, nodes: [node.name] });
    else known.nodes.push(node.name);
  }
  return [...needs.values()];
}

function wantedBy({ type, connection }: N8nNode): Wanted {
  const { kind = "", app } = connection ?? {};
  if (app !== undefined) return { app };
  if (kind === "database") {
    const databases = DATABASES[type.slice(type.lastIndexOf(".") + 1)];
    return { kinds: ["database"], ...(databases !== undefined && { databases }) };
  }
  return OTHER_KINDS.has(kind) ? { kinds: [kind as ConnectionKind] } : BY_HTTP;
}

/**
 * Of each need, by its key: the connection with the name of the credential, otherwise the only one that fits. A
 * credential for HTTP is never guessed: it would be sent to the host of the node.
 */
export function presetN8nConnections(
  needs: readonly N8nNeed[],
  connections: readonly Connection[],
): Record<string, string> {
  const preset: Record<string, string> = {};
  for (const { key, wanted, credential } of needs) {
    const fitting = connections.filter((connection) => fits(connection, wanted));
    const named = fitting.find(({ name }) => name.toLowerCase() === credential?.toLowerCase());
    const only = fitting.length === 1 && wanted !== BY_HTTP ? fitting[0] : undefined;
    const chosen = named ?? only;
    if (chosen !== undefined) preset[key] = chosen.id;
  }
  return preset;
}

/** The chosen connections by the name of the node, as the service takes them. */
export function connectionsOfNodes(
  needs: readonly N8nNeed[],
  chosen: Readonly<Record<string, string>>,
): Record<string, string> {
  return Object.fromEntries(
    needs.flatMap(({ key, nodes }) => {
      const id = chosen[key];
      return id === undefined || id === "" ? [] : nodes.map((name) => [name, id] as const);
    }),
  );
}
