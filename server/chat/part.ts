import type { BearerAccess } from "../accounts/bearer-access.ts";
import type { AgentsPart } from "../agents/part.ts";
import type { Engine } from "../engine/engine-api.ts";
import type { ExposurePart } from "../exposure/part.ts";
import { createRateLimiter } from "../lib/rate-limiter.ts";
import type { Part, Platform } from "../platform/part.ts";
import type { Tasks } from "../tasks/tasks.ts";
import type { TeamsPart } from "../teams/part.ts";
import type { SessionPart } from "../teams/session/part.ts";
import { chatRoutes } from "./chat.routes.ts";
import { createChats } from "./chats.ts";
import { createSessionRuns } from "./session-run.ts";
import { createTaskRuns } from "./task-run.ts";

export interface ChatPartDeps {
  access: BearerAccess;
  exposure: ExposurePart;
  engine: Engine;
  tasks: Tasks;
  agents: AgentsPart;
  teams: TeamsPart;
  sessions: SessionPart;
}

/** The OpenAI-compatible API. */
export function createChatPart({ config, clock, limits }: Platform, deps: ChatPartDeps): Part {
  const taskRuns = createTaskRuns({
    engine: deps.engine,
    tasks: deps.tasks,
    liveAnswers: deps.agents.liveAnswers,
    runUrl: (taskId) => `${config.serviceUrl}/runs/${taskId}`,
  });
  const sessionRuns = createSessionRuns({
    sessions: deps.teams.sessions,
    signals: deps.sessions.signals,
    getTeam: deps.sessions.teams.get,
    agentNames: async ({ agents, ownerId }) =>
      new Map((await deps.agents.registered(agents, ownerId)).map(({ id, name }) => [id, name])),
  });
  const chats = createChats({
    exposures: deps.exposure.exposures,
    start: (request) => (request.record.kind === "team" ? sessionRuns : taskRuns).start(request),
    recordCall: deps.exposure.recordCall,
    clock,
    waitMs: config.syncTimeoutMs,
  });
  return {
    routes: (http) =>
      chatRoutes(http, {
        chats,
        access: deps.access,
        // Counted in this process, like the calls of endpoints.
        limiter: createRateLimiter(config.limits.endpointPerMinute, clock),
        openStream: limits.openStream,
        bodyLimitBytes: config.limits.jsonBodyBytes,
      }),
  };
}
