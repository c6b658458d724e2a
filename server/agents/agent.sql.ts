import type { AgentRecord, AgentStore } from "./agent-store.ts";
import { toPage } from "../lib/page.ts";
import type { Db, Row, SqlValue } from "../storage/db.ts";
import { throwNotFoundOrForbidden } from "../storage/ownership.ts";
import { AFTER_EVERY_ID } from "../storage/paging.ts";

export function createAgentStore(db: Db): AgentStore {
  return {
    async insert(agent) {
      await db.batch([
        {
          sql: `insert into agent (id, owner_id, name, description, role, provider, model, capabilities, system_prompt, temperature,
                  tools, updated_at, created_at) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
          params: [...toParams(agent), agent.createdAt],
        },
      ]);
    },

    async owned(id, ownerId) {
      const [row] = await db.query("select * from agent where id = $1 and owner_id = $2", [id, ownerId]);
      return row === undefined ? throwNotFoundOrForbidden(db, "agent", "agent", id) : toAgent(row);
    },

    async some(ids, ownerId) {
      const rows = await db.query(
        "select * from agent where owner_id = $1 and id in (select value from json_each(cast($2 as text)))",
        [ownerId, JSON.stringify(ids)],
      );
      return rows.map(toAgent);
    },

    async byCapability(capability, ownerId) {
      const rows = await db.query("select * from agent where owner_id = $1 order by id", [ownerId]);
      const wanted = capability.toLowerCase();
      return rows
        .map(toAgent)
        .find(({ capabilities }) => capabilities.some((able) => able.toLowerCase() === wanted));
    },

    async list(ownerId, { limit, cursor }) {
      const rows = await db.query(
        "select * from agent where owner_id = $1 and id < $2 order by id desc limit $3",
        [ownerId, cursor ?? AFTER_EVERY_ID, limit + 1],
      );
      return toPage(rows.map(toAgent), limit, ({ id }) => id);
    },

    async update(agent) {
      const [updated] = await db.batch([
        {
          sql: `update agent set name = $3, description = $4, role = $5, provider = $6, model = $7, capabilities = $8,
                  system_prompt = $9, temperature = $10, tools = $11, updated_at = $12
                where id = $1 and owner_id = $2 returning id`,
          params: toParams(agent),
        },
      ]);
      if (updated?.length !== 1) await throwNotFoundOrForbidden(db, "agent", "agent", agent.id);
    },

    async remove(id, ownerId) {
      const [removed] = await db.batch([
        { sql: "delete from agent where id = $1 and owner_id = $2 returning id", params: [id, ownerId] },
      ]);
      if (removed?.length !== 1) await throwNotFoundOrForbidden(db, "agent", "agent", id);
    },
  };
}

function toParams(agent: AgentRecord): SqlValue[] {
  return [
    agent.id,
    agent.ownerId,
    agent.name,
    agent.description,
    agent.role,
    agent.provider,
    agent.model,
    JSON.stringify(agent.capabilities),
    agent.systemPrompt,
    agent.temperature,
    JSON.stringify(agent.tools),
    agent.updatedAt,
  ];
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
    capabilities: JSON.parse(row["capabilities"] as string) as string[],
    systemPrompt: row["system_prompt"] as string,
    temperature: row["temperature"] === null ? null : Number(row["temperature"]),
    tools: JSON.parse(row["tools"] as string) as AgentRecord["tools"],
    createdAt: Number(row["created_at"]),
    updatedAt: Number(row["updated_at"]),
  };
}
