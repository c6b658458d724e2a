import { innerGraph } from "../../contract/graph/step-references.ts";
import { isRecord } from "../../contract/placeholders/json-value.ts";
import type { Db } from "../storage/db.ts";

export interface NamedRecord {
  id: string;
  name: string;
}

export interface ApiAppUsages {
  /** Workflows and agents by the action that they use. */
  byAction(ownerId: string, appId: string): Promise<ReadonlyMap<string, NamedRecord[]>>;
  connections(
    ownerId: string,
    appId: string,
  ): Promise<(NamedRecord & { hosts: string[]; createdBy: string | null })[]>;
}

/** More are rarely read by a person. */
const MAX_RECORDS = 500;

export function createApiAppUsages(db: Db): ApiAppUsages {
  return {
    async byAction(ownerId, appId) {
      const pattern = `%"${appId}"%`;
      const workflows = await db.query(
        `select workflow.id, workflow.name, workflow.graph, workflow_draft.graph as draft
           from workflow left join workflow_draft on workflow_draft.workflow_id = workflow.id
           where workflow.owner_id = $ownerId and workflow.deleted_at is null
             and (workflow.graph like $pattern or workflow_draft.graph like $pattern)
           order by workflow.id limit ${MAX_RECORDS}`,
        { ownerId, pattern },
      );
      const agents = await db.query(
        `select id, name, tools from agent where owner_id = $ownerId and tools like $pattern order by id limit ${MAX_RECORDS}`,
        { ownerId, pattern },
      );
      const users = new Map<string, NamedRecord[]>();
      const add = (row: Record<string, unknown>, actions: readonly string[]): void => {
        const record = { id: row["id"] as string, name: row["name"] as string };
        for (const action of new Set(actions)) users.set(action, [...(users.get(action) ?? []), record]);
      };
      for (const row of workflows)
        add(
          row,
          [row["graph"], row["draft"]].flatMap((graph) => actionsIn(parsed(graph), appId)),
        );
      for (const row of agents) add(row, toolsIn(parsed(row["tools"]), appId));
      return users;
    },

    async connections(ownerId, appId) {
      const rows = await db.query(
        "select id, name, hosts, created_by from connection where owner_id = $ownerId and app = $appId order by id",
        { ownerId, appId },
      );
      return rows.map((row) => ({
        id: row["id"] as string,
        name: row["name"] as string,
        hosts: JSON.parse(row["hosts"] as string) as string[],
        createdBy: row["created_by"] as string | null,
      }));
    },
  };
}

/** The actions of an app in the steps of a graph, those inside loops included. */
function actionsIn(graph: unknown, appId: string): string[] {
  const steps = isRecord(graph) && Array.isArray(graph["steps"]) ? (graph["steps"] as unknown[]) : [];
  return steps.filter(isRecord).flatMap((step) => {
    const inside = actionsIn(innerGraph(step), appId);
    return step["type"] === "app" && step["app"] === appId ? [String(step["action"]), ...inside] : inside;
  });
}

function toolsIn(tools: unknown, appId: string): string[] {
  const apps = isRecord(tools) && Array.isArray(tools["apps"]) ? (tools["apps"] as unknown[]) : [];
  return apps
    .filter(isRecord)
    .flatMap(({ app, actions }) => (app === appId && Array.isArray(actions) ? actions.map(String) : []));
}

function parsed(text: unknown): unknown {
  return typeof text === "string" ? (JSON.parse(text) as unknown) : undefined;
}
