import type { AgentCard } from "@a2a-js/sdk";
import type { A2ARequestHandler } from "@a2a-js/sdk/server";
import type { DiscoveryEntry } from "../../contract/teams.ts";
import type { TeamRecord } from "../teams/team.sql.ts";
import type { A2aAccess, A2aAgent } from "./a2a-access.ts";
import { teamContent, toCard } from "./agent-card.ts";
import type { AgentTasks } from "./agent-tasks.ts";
import { createRequestHandler } from "./request-handler.ts";
import type { Sdk } from "./sdk.ts";
import { createTeamTasks, type TeamTasksDeps } from "./team-tasks.ts";

export interface A2aAgentsDeps extends Pick<
  TeamTasksDeps,
  "sessions" | "signals" | "store" | "engine" | "clock"
> {
  discovery(team: TeamRecord): Promise<DiscoveryEntry[]>;
  /** How long `message:send` waits for the end of the task. */
  waitMs: number;
}

export interface CallOptions {
  sdk: Sdk;
  /** The URL of the service. */
  base: string;
  /** Aborted when the caller has disconnected. */
  disconnected: AbortSignal;
}

export type A2aAgents = ReturnType<typeof createA2aAgents>;

/** Every agent behind the operations of the protocol. */
export function createA2aAgents(deps: A2aAgentsDeps) {
  async function card({ team }: A2aAgent, base: string, isExtended = false): Promise<AgentCard> {
    return toCard(teamContent(team, await deps.discovery(team), isExtended), base);
  }

  function tasksOf({ agent, party, caller }: A2aAccess, sdk: Sdk): AgentTasks {
    return createTeamTasks({ ...deps, sdk, team: agent.team, party, caller });
  }

  return {
    card,
    /** For one request of one caller. */
    handler: (access: A2aAccess, { sdk, base, disconnected }: CallOptions): A2ARequestHandler =>
      createRequestHandler({
        sdk,
        tasks: tasksOf(access, sdk),
        card: () => card(access.agent, base),
        extendedCard: () => card(access.agent, base, true),
        waitMs: deps.waitMs,
        disconnected,
      }),
  };
}
