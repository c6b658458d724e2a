import type { Agent } from "../../contract/agents.ts";
import type { PageQuery } from "../../contract/api.ts";
import type { ResultPage } from "../lib/result-page.ts";
import type { Db, Row, SqlValue } from "../storage/db.ts";
import { getRecord, listRecords, removeRecord } from "../storage/owned-records.ts";
import { throwNotFoundOrForbidden } from "../storage/ownership.ts";

export interface AgentRecord {
  id: string;
  ownerId: string;
  name: string;
  description: string;
  role: string;
  provider: string | null;
  model: string | null;
  /** The id of the connection that the model is called with; null for the models of this instance. */
  connection: string | null;
  baseUrl: string | null;
  capabilities: string[];
  systemPrompt: string;
  temperature: number | null;
  tools: Agent["tools"];
  /** What one answer may use. */
  limits: { modelCalls?: number | undefined; tokens?: number | undefined };
  createdAt: number;
  updatedAt: number;
}

export type AgentStore = ReturnType<typeof createAgentStore>;

export function createAgentStore(db: Db) {
  return {
    async insert(agent: AgentRecord): Promise<void> {
      await db.batch([
        {
          sql: `insert into agent (id, owner_id, name, description, role, provider, model, connection_id, base_url, capabilities, system_prompt, temperature,
                  tools, limits, created_at, updated_at)
                values ($id, $ownerId, $name, $description, $role, $provider, $model, $connection, $baseUrl, $capabilities, $systemPrompt, $temperature,
                  $tools, $limits, $createdAt, $updatedAt)`,
          params: { ...toParams(agent), createdAt: agent.createdAt },
        },
      ]);
    },

    /** Throws `agent_not_found` or `forbidden`. */
    get: async (id: string, ownerId: string): Promise<AgentRecord> =>
      toAgent(await getRecord(db, "agent", id, ownerId)),

    /** The agents of this owner among these ids, in no order. */
    async listByIds(ids: readonly string[], ownerId: string): Promise<AgentRecord[]> {
      const rows = await db.query(
        `select * from agent where owner_id = $ownerId and id in (select value from json_each(cast($ids as text)))`,
        { ownerId, ids: JSON.stringify(ids) },
      );
      return rows.map(toAgent);
    },

    /** The owner's oldest agent that lists this capability, in any case. */
    async findByCapability(capability: string, ownerId: string): Promise<AgentRecord | undefined> {
      const rows = await db.query("select * from agent where owner_id = $ownerId order by id", { ownerId });
      const wanted = capability.toLowerCase();
      return rows
        .map(toAgent)
        .find(({ capabilities }) => capabilities.some((listed) => listed.toLowerCase() === wanted));
    },

    list: (ownerId: string, page: PageQuery): Promise<ResultPage<AgentRecord>> =>
      listRecords(db, "agent", ownerId, page, toAgent),

    async update(agent: AgentRecord): Promise<void> {
      const [updated] = await db.batch([
        {
          sql: `update agent set name = $name, description = $description, role = $role, provider = $provider, model = $model,
                  connection_id = $connection, base_url = $baseUrl,
                  capabilities = $capabilities, system_prompt = $systemPrompt, temperature = $temperature, tools = $tools, limits = $limits,
                  updated_at = $updatedAt
                where id = $id and owner_id = $ownerId returning id`,
          params: toParams(agent),
        },
      ]);
      if (updated?.length !== 1) await throwNotFoundOrForbidden(db, "agent", "agent", agent.id);
    },

    remove: (id: string, ownerId: string): Promise<void> => removeRecord(db, "agent", id, ownerId),
  };
}

function toParams(agent: AgentRecord): Record<string, SqlValue> {
  return {
    id: agent.id,
    ownerId: agent.ownerId,
    name: agent.name,
    description: agent.description,
    role: agent.role,
    provider: agent.provider,
    model: agent.model,
    connection: agent.connection,
    baseUrl: agent.baseUrl,
    capabilities: JSON.stringify(agent.capabilities),
    systemPrompt: agent.systemPrompt,
    temperature: agent.temperature,
    tools: JSON.stringify(agent.tools),
    limits: JSON.stringify(agent.limits),
    updatedAt: agent.updatedAt,
  };
}

function toAgent(row: Row): AgentRecord {
  return {
    id: row["id"] as string,
    ownerId: row["owner_id"] as string,
    name: row["name"] as string,
    description: row["description"] as string,
    role: row["role"] as string,
    provider: row["provider"] as string | null,
    model: row["model"] as string | null,
    connection: row["connection_id"] as string | null,
    baseUrl: row["base_url"] as string | null,
    capabilities: JSON.parse(row["capabilities"] as string) as string[],
    systemPrompt: row["system_prompt"] as string,
    temperature: row["temperature"] === null ? null : Number(row["temperature"]),
    tools: JSON.parse(row["tools"] as string) as AgentRecord["tools"],
    limits: JSON.parse(row["limits"] as string) as AgentRecord["limits"],
    createdAt: Number(row["created_at"]),
    updatedAt: Number(row["updated_at"]),
  };
}
