import type { Db } from "../../storage/db.ts";

export type AgentSecretStore = ReturnType<typeof createAgentSecretStore>;

/** The secrets of single external agents, stored as hashes. */
export function createAgentSecretStore(db: Db) {
  return {
    async put(teamId: string, name: string, secretHash: string, now: number): Promise<void> {
      await db.batch([
        {
          sql: `insert into external_agent_secret (team_id, name, secret_hash, created_at) values ($teamId, $name, $secretHash, $now)
                on conflict (team_id, name) do update set secret_hash = excluded.secret_hash, created_at = excluded.created_at`,
          params: { teamId, name, secretHash, now },
        },
      ]);
    },

    async remove(teamId: string, name: string): Promise<void> {
      await db.batch([
        {
          sql: "delete from external_agent_secret where team_id = $teamId and name = $name",
          params: { teamId, name },
        },
      ]);
    },

    async list(teamId: string): Promise<{ name: string; secretHash: string }[]> {
      const rows = await db.query(
        "select name, secret_hash from external_agent_secret where team_id = $teamId order by name",
        { teamId },
      );
      return rows.map((row) => ({ name: row["name"] as string, secretHash: row["secret_hash"] as string }));
    },
  };
}
