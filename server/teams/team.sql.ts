import type { PageQuery } from "../../contract/api.ts";
import type { ExternalAgent, TeamLimits, Topology } from "../../contract/teams.ts";
import type { ResultPage } from "../lib/result-page.ts";
import type { Db, Row, SqlValue } from "../storage/db.ts";
import { getRecord, listRecords } from "../storage/owned-records.ts";
import { throwNotFoundOrForbidden } from "../storage/ownership.ts";

export interface TeamRecord {
  id: string;
  ownerId: string;
  name: string;
  description: string;
  agents: string[];
  externalAgents: ExternalAgent[];
  topology: Topology;
  limits: TeamLimits;
  /** By agent id. */
  memberInstructions: Record<string, string>;
  secretHash: string;
  createdAt: number;
  updatedAt: number;
}

export type TeamStore = ReturnType<typeof createTeamStore>;

export function createTeamStore(db: Db) {
  return {
    async insert(team: TeamRecord): Promise<void> {
      await db.batch([
        {
          sql: `insert into team (id, owner_id, name, description, agents, external_agents, topology, limits, member_instructions, secret_hash,
                  created_at, updated_at)
                values ($id, $ownerId, $name, $description, $agents, $externalAgents, $topology, $limits, $memberInstructions, $secretHash,
                  $createdAt, $updatedAt)`,
          params: { ...toParams(team), secretHash: team.secretHash, createdAt: team.createdAt },
        },
      ]);
    },

    /** Throws `team_not_found` or `forbidden`. */
    get: async (id: string, ownerId: string): Promise<TeamRecord> =>
      toTeam(await getRecord(db, "team", id, ownerId)),

    /** By id alone: for the session's task, and for callers that prove access by the team's secret. */
    async find(id: string): Promise<TeamRecord | undefined> {
      const [row] = await db.query("select * from team where id = $id", { id });
      return row === undefined ? undefined : toTeam(row);
    },

    list: (ownerId: string, page: PageQuery): Promise<ResultPage<TeamRecord>> =>
      listRecords(db, "team", ownerId, page, toTeam),

    /** Writes everything except the secret. */
    async update(team: TeamRecord): Promise<void> {
      const [updated] = await db.batch([
        {
          sql: `update team set name = $name, description = $description, agents = $agents,
                  external_agents = $externalAgents, topology = $topology, limits = $limits,
                  member_instructions = $memberInstructions, updated_at = $updatedAt
                where id = $id and owner_id = $ownerId returning id`,
          params: toParams(team),
        },
      ]);
      if (updated?.length !== 1) await throwNotFoundOrForbidden(db, "team", "team", team.id);
    },

    async replaceSecret(id: string, ownerId: string, secretHash: string, now: number): Promise<TeamRecord> {
      const [updated] = await db.batch([
        {
          sql: `update team set secret_hash = $secretHash, updated_at = $now
                where id = $id and owner_id = $ownerId returning *`,
          params: { id, ownerId, secretHash, now },
        },
      ]);
      const row = updated?.[0];
      return row === undefined ? throwNotFoundOrForbidden(db, "team", "team", id) : toTeam(row);
    },

    /** No agent from outside can write any more. */
    async invalidateSecrets(ownerId: string): Promise<void> {
      await db.batch([
        { sql: "update team set secret_hash = '' where owner_id = $ownerId", params: { ownerId } },
        {
          sql: "delete from external_agent_secret where team_id in (select id from team where owner_id = $ownerId)",
          params: { ownerId },
        },
      ]);
    },

    /** Deletes the team with its sessions, their logs and their tasks. */
    async remove(id: string, ownerId: string): Promise<void> {
      const params = { id, ownerId };
      const sessions = "(select id from session where team_id = $id and owner_id = $ownerId)";
      const [, , removed] = await db.batch([
        { sql: `delete from task where id in ${sessions}`, params },
        { sql: `delete from journal where task_id in ${sessions}`, params },
        { sql: "delete from team where id = $id and owner_id = $ownerId returning id", params },
        { sql: "delete from a2a_task where agent_id = $id and owner_id = $ownerId", params },
        { sql: "delete from a2a_push_config where agent_id = $id and owner_id = $ownerId", params },
      ]);
      if (removed?.length !== 1) await throwNotFoundOrForbidden(db, "team", "team", id);
    },
  };
}

function toParams(team: TeamRecord): Record<string, SqlValue> {
  return {
    id: team.id,
    ownerId: team.ownerId,
    name: team.name,
    description: team.description,
    agents: JSON.stringify(team.agents),
    externalAgents: JSON.stringify(team.externalAgents),
    topology: team.topology,
    limits: JSON.stringify(team.limits),
    memberInstructions: JSON.stringify(team.memberInstructions),
    updatedAt: team.updatedAt,
  };
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
    limits: JSON.parse(row["limits"] as string) as TeamLimits,
    memberInstructions: JSON.parse(row["member_instructions"] as string) as Record<string, string>,
    secretHash: row["secret_hash"] as string,
    createdAt: Number(row["created_at"]),
    updatedAt: Number(row["updated_at"]),
  };
}
