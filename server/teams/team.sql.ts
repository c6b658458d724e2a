import type { ExternalAgent, Topology } from "../../contract/teams.ts";
import { toPage } from "../lib/page.ts";
import type { TeamRecord, TeamStore } from "./team-store.ts";
import type { Db, Row, SqlValue } from "../storage/db.ts";
import { throwNotFoundOrForbidden } from "../storage/ownership.ts";
import { AFTER_EVERY_ID } from "../storage/paging.ts";

export function createTeamStore(db: Db): TeamStore {
  return {
    async insert(team) {
      await db.batch([
        {
          sql: `insert into team (id, owner_id, name, description, agents, external_agents, topology, updated_at, created_at, secret_hash)
                values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
          params: [...toParams(team), team.createdAt, team.secretHash],
        },
      ]);
    },

    async owned(id, ownerId) {
      const [row] = await db.query("select * from team where id = $1 and owner_id = $2", [id, ownerId]);
      return row === undefined ? throwNotFoundOrForbidden(db, "team", "team", id) : toTeam(row);
    },

    async find(id) {
      const [row] = await db.query("select * from team where id = $1", [id]);
      return row === undefined ? undefined : toTeam(row);
    },

    async list(ownerId, { limit, cursor }) {
      const rows = await db.query(
        "select * from team where owner_id = $1 and id < $2 order by id desc limit $3",
        [ownerId, cursor ?? AFTER_EVERY_ID, limit + 1],
      );
      return toPage(rows.map(toTeam), limit, ({ id }) => id);
    },

    async update(team) {
      const [updated] = await db.batch([
        {
          sql: `update team set name = $3, description = $4, agents = $5, external_agents = $6, topology = $7, updated_at = $8
                where id = $1 and owner_id = $2 returning id`,
          params: toParams(team),
        },
      ]);
      if (updated?.length !== 1) await throwNotFoundOrForbidden(db, "team", "team", team.id);
    },

    async replaceSecret(id, ownerId, secretHash, now) {
      const [updated] = await db.batch([
        {
          sql: "update team set secret_hash = $3, updated_at = $4 where id = $1 and owner_id = $2 returning *",
          params: [id, ownerId, secretHash, now],
        },
      ]);
      const row = updated?.[0];
      return row === undefined ? throwNotFoundOrForbidden(db, "team", "team", id) : toTeam(row);
    },

    async remove(id, ownerId) {
      const sessions = "(select id from session where team_id = $1 and owner_id = $2)";
      const [, , removed] = await db.batch([
        { sql: `delete from task where id in ${sessions}`, params: [id, ownerId] },
        { sql: `delete from journal where task_id in ${sessions}`, params: [id, ownerId] },
        { sql: "delete from team where id = $1 and owner_id = $2 returning id", params: [id, ownerId] },
      ]);
      if (removed?.length !== 1) await throwNotFoundOrForbidden(db, "team", "team", id);
    },
  };
}

function toParams(team: TeamRecord): SqlValue[] {
  return [
    team.id,
    team.ownerId,
    team.name,
    team.description,
    JSON.stringify(team.agents),
    JSON.stringify(team.externalAgents),
    team.topology,
    team.updatedAt,
  ];
}

function toTeam(row: Row): TeamRecord {
  return {
    id: row["id"] as string,
    ownerId: row["owner_id"] as string,
    name: row["name"] as string,
    description: row["description"] as string,
    agents: JSON.parse(row["agents"] as string) as string[],
    externalAgents: JSON.parse(row["external_agents"] as string) as ExternalAgent[],
    topology: row["topology"] as Topology,
    secretHash: row["secret_hash"] as string,
    createdAt: Number(row["created_at"]),
    updatedAt: Number(row["updated_at"]),
  };
}
