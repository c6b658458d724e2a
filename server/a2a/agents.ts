import type { AgentCard } from "@a2a-js/sdk";
import type { A2ARequestHandler } from "@a2a-js/sdk/server";
import type { DiscoveryEntry } from "../../contract/teams.ts";
import type { RecordCall } from "../exposure/client-calls.ts";
import type { TeamRecord } from "../teams/team.sql.ts";
import { type A2aAccess, type A2aAgent, idOf, ownerOf } from "./a2a-access.ts";
import { teamContent, toCard, workflowContent } from "./agent-card.ts";
import type { AgentTasks } from "./agent-tasks.ts";
import type { PushConfigs } from "./push-configs.ts";
import { createRequestHandler, type TaskPush } from "./request-handler.ts";
import type { Sdk } from "./sdk.ts";
import { createTeamTasks, type TeamTasksDeps } from "./team-tasks.ts";
import { createWorkflowTasks, type WorkflowTasksDeps } from "./workflow-tasks.ts";

export interface A2aAgentsDeps
  extends
    Pick<TeamTasksDeps, "sessions" | "signals">,
    Pick<WorkflowTasksDeps, "store" | "engine" | "clock" | "tasks"> {
  discovery(team: TeamRecord): Promise<DiscoveryEntry[]>;
  /** How long `message:send` waits for the end of the task. */
  waitMs: number;
  recordCall: RecordCall;
  push: PushConfigs;
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
  async function card(agent: A2aAgent, base: string, isExtended = false): Promise<AgentCard> {
    const content =
      agent.kind === "team"
        ? teamContent(agent.team, await deps.discovery(agent.team), isExtended)
        : workflowContent(agent.record, isExtended);
    return toCard(content, base);
  }

  function tasksOf({ agent, party, caller }: A2aAccess, sdk: Sdk): AgentTasks {
    return agent.kind === "team"
      ? createTeamTasks({ ...deps, sdk, team: agent.team, party, caller })
      : createWorkflowTasks({ ...deps, sdk, record: agent.record, caller });
  }

  function pushFor({ agent, caller }: A2aAccess, sdk: Sdk): TaskPush {
    const owner = { ownerId: ownerOf(agent), agentId: idOf(agent), caller };
    return {
      ...deps.push,
      save: (task, config, protocol) => deps.push.save(sdk, owner, task, config, protocol),
    };
  }

  /** What the owner sees of a call; the task has its content. */
  function recorderFor({ agent, caller, callerName }: A2aAccess) {
    const record =
      agent.kind === "team"
        ? { kind: "team" as const, recordId: agent.team.id, name: agent.team.name }
        : { kind: "workflow" as const, recordId: agent.record.recordId, name: agent.record.name };
    const startedAt = deps.clock.now();
    return (method: string, taskId: string | undefined, errorCode?: string) =>
      deps.recordCall({
        ownerId: ownerOf(agent),
        protocol: "a2a",
        method,
        record,
        callerId: caller,
        callerName,
        // The id of an exchange names its session.
        taskId: taskId?.split(".", 1)[0],
        errorCode,
        durationMs: deps.clock.now() - startedAt,
      });
  }

  return {
    card,
    tasksOf,
    /** For one request of one caller. */
    handler: (access: A2aAccess, { sdk, base, disconnected }: CallOptions): A2ARequestHandler =>
      createRequestHandler({
        sdk,
        tasks: tasksOf(access, sdk),
        card: () => card(access.agent, base),
        extendedCard: () => card(access.agent, base, true),
        waitMs: deps.waitMs,
        disconnected,
        push: pushFor(access, sdk),
        recordCall: recorderFor(access),
      }),
  };
}
