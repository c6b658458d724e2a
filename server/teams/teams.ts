import type { PageQuery } from "../../contract/api.ts";
import type { CreateTeam, DiscoveryEntry, TeamWarning, UpdateTeam } from "../../contract/teams.ts";
import type { AgentRecord } from "../agents/agent.sql.ts";
import type { Clock } from "../lib/clock.ts";
import { createId } from "../lib/ids.ts";
import { notFound } from "../lib/errors.ts";
import type { AgentSecretStore } from "./external/agent-secret.sql.ts";
import { createSecret, hashKey } from "../security/api-keys.ts";
import type { TeamRecord, TeamStore } from "./team.sql.ts";

export interface TeamsDeps {
  store: TeamStore;
  agentSecrets: AgentSecretStore;
  clock: Clock;
  /** The agents of this owner among these ids. */
  registered(ids: readonly string[], ownerId: string): Promise<AgentRecord[]>;
  /** Throws when the owner has no such connection, or one that is not sent by HTTP. */
  requireConnection(ownerId: string, id: string): Promise<void>;
  /** Ends the team's sessions before it is deleted. */
  beforeRemove(teamId: string): Promise<void>;
}

export interface SavedTeam {
  team: TeamRecord;
  warnings: TeamWarning[];
}

export type Teams = ReturnType<typeof createTeams>;

export function createTeams({
  store,
  agentSecrets,
  clock,
  registered,
  requireConnection,
  beforeRemove,
}: TeamsDeps) {
  async function checkConnections(ownerId: string, agents: CreateTeam["externalAgents"] = []): Promise<void> {
    for (const { connection } of agents)
      if (connection !== undefined) await requireConnection(ownerId, connection);
  }

  async function withWarnings(team: TeamRecord): Promise<SavedTeam> {
    const known = new Set((await registered(team.agents, team.ownerId)).map(({ id }) => id));
    const warnings = team.agents
      .filter((id) => !known.has(id))
      .map((agentId) => ({
        code: "unregistered_agent",
        message: `You have no agent with the id ${agentId}. Register it; until then it takes no turns.`,
        agentId,
      }));
    return { team, warnings };
  }

  async function requireExternal(ownerId: string, id: string, name: string): Promise<void> {
    const { externalAgents } = await store.get(id, ownerId);
    if (!externalAgents.some((agent) => agent.name === name)) throw notFound("agent", name);
  }

  return {
    async create(ownerId: string, given: CreateTeam): Promise<SavedTeam & { secret: string }> {
      await checkConnections(ownerId, given.externalAgents);
      const now = clock.now();
      const secret = createSecret();
      const team: TeamRecord = {
        ...given,
        id: createId("team", now),
        ownerId,
        secretHash: hashKey(secret),
        createdAt: now,
        updatedAt: now,
      };
      await store.insert(team);
      return { ...(await withWarnings(team)), secret };
    },

    get: async (ownerId: string, id: string) => withWarnings(await store.get(id, ownerId)),
    list: (ownerId: string, page: PageQuery) => store.list(ownerId, page),

    async update(ownerId: string, id: string, change: UpdateTeam): Promise<SavedTeam> {
      const current = await store.get(id, ownerId);
      await checkConnections(ownerId, change.externalAgents);
      const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
      const team: TeamRecord = { ...current, ...given, updatedAt: clock.now() };
      await store.update(team);
      // A name that is listed again later must not come with its old secret.
      const listed = new Set(team.externalAgents.map(({ name }) => name));
      for (const { name } of current.externalAgents)
        if (!listed.has(name)) await agentSecrets.remove(id, name);
      return withWarnings(team);
    },

    async remove(ownerId: string, id: string): Promise<void> {
      await store.get(id, ownerId);
      await beforeRemove(id);
      await store.remove(id, ownerId);
    },

    /** The old secret stops working immediately. */
    async rotateSecret(ownerId: string, id: string): Promise<SavedTeam & { secret: string }> {
      const secret = createSecret();
      const team = await store.replaceSecret(id, ownerId, hashKey(secret), clock.now());
      return { ...(await withWarnings(team)), secret };
    },

    /** A secret with which only this external agent calls the team; it replaces the one before. */
    async createAgentSecret(ownerId: string, id: string, name: string): Promise<string> {
      await requireExternal(ownerId, id, name);
      const secret = createSecret();
      await agentSecrets.put(id, name, hashKey(secret), clock.now());
      return secret;
    },

    async deleteAgentSecret(ownerId: string, id: string, name: string): Promise<void> {
      await requireExternal(ownerId, id, name);
      await agentSecrets.remove(id, name);
    },

    async discovery(ownerId: string, id: string): Promise<DiscoveryEntry[]> {
      const team = await store.get(id, ownerId);
      const known = new Map((await registered(team.agents, ownerId)).map((agent) => [agent.id, agent]));
      const internal = team.agents.map((agentId): DiscoveryEntry => {
        const agent = known.get(agentId);
        return {
          id: agentId,
          name: agent?.name ?? agentId,
          type: "internal",
          capabilities: agent?.capabilities ?? [],
        };
      });
      const external = team.externalAgents.map(({ name, capabilities }): DiscoveryEntry => ({
        id: name,
        name,
        type: "external",
        capabilities,
      }));
      return [...internal, ...external];
    },
  };
}
