import type { BearerAccess } from "../accounts/bearer-access.ts";
import type { DocumentsPart } from "../documents/part.ts";
import type { Engine } from "../engine/engine-api.ts";
import type { ExposurePart } from "../exposure/part.ts";
import { createHostCheck } from "../http/allowed-hosts.ts";
import { createRateLimiter } from "../lib/rate-limiter.ts";
import type { Part, Platform } from "../platform/part.ts";
import type { Tasks } from "../tasks/tasks.ts";
import type { TeamsPart } from "../teams/part.ts";
import type { SessionPart } from "../teams/session/part.ts";
import type { WorkflowsPart } from "../workflows/part.ts";
import { createAllRuns } from "./all-runs.ts";
import { createCallTool } from "./call-tool.ts";
import type { Handler } from "./call.ts";
import { completionMethods } from "./completions.ts";
import { mcpRoutes } from "./mcp.routes.ts";
import { createDispatch, lifecycleMethods } from "./methods.ts";
import { createOpenCalls } from "./open-calls.ts";
import { createListPrompts, promptMethods } from "./prompts.ts";
import { createReceive } from "./receive.ts";
import { resourceMethods } from "./resources.ts";
import { createSessionRuns } from "./session-runs.ts";
import { createLegacySessions } from "./sessions.ts";
import { createSignedState } from "./signed-state.ts";
import { createStartRun } from "./start-run.ts";
import { subscriptionMethods } from "./subscriptions.ts";
import { createTaskRuns } from "./task-runs.ts";
import { legacyTaskMethods, modernTaskMethods } from "./tasks.ts";
import { toolMethods } from "./tools.ts";

export interface McpPartDeps {
  access: BearerAccess;
  exposure: ExposurePart;
  workflows: WorkflowsPart;
  documents: DocumentsPart;
  engine: Engine;
  tasks: Tasks;
  teams: TeamsPart;
  sessions: SessionPart;
}

const CANCEL_CHANNEL = "mcp_cancel";

/** The MCP server: exposed workflows, agents, teams and documents as tools, resources and prompts. */
export async function createMcpPart(
  {
    config,
    clock,
    db,
    limits,
    report,
    tracing,
    jwtSecrets,
  }: Platform & { jwtSecrets: [string, ...string[]] },
  { access, exposure, workflows, documents, engine, tasks, teams, sessions }: McpPartDeps,
): Promise<Part> {
  const { exposures, recordCall } = exposure;
  const state = createSignedState("mcp", jwtSecrets);
  const runs = createAllRuns({
    tasks: createTaskRuns({ engine, tasks }),
    sessions: createSessionRuns({ sessions: teams.sessions, signals: sessions.signals }),
  });
  const openCalls = createOpenCalls({
    cancel: runs.cancel,
    publish: config.database.url === undefined ? undefined : (name) => db.notify(CANCEL_CHANNEL, name),
    onError: (error) => report(error, "cancelling the run of an MCP call"),
  });
  const stopListening = await db.listen(CANCEL_CHANNEL, openCalls.onPeerMessage);
  const { callTool, awaitResult } = createCallTool({
    exposures,
    documents: documents.documents,
    runs,
    startRun: createStartRun({ engine, sessions: teams.sessions, teams: sessions.teams }),
    trackCall: openCalls.track,
    state,
    clock,
    waitMs: config.syncTimeoutMs,
    recordCall,
  });
  const areExposed = async (ownerId: string): Promise<boolean> =>
    (await exposures.list(ownerId, "mcp")).some(({ kind }) => kind === "documents");
  const listPrompts = createListPrompts(workflows.templates);
  const common: Record<string, Handler> = {
    ...toolMethods(exposures),
    "tools/call": callTool,
    ...promptMethods(listPrompts),
    ...resourceMethods({ documents: documents.documents, areExposed }),
    ...completionMethods({ documents: documents.documents, areExposed, listPrompts }),
  };
  const lifecycle = lifecycleMethods();
  const dispatch = createDispatch(
    {
      modern: {
        ...lifecycle.modern,
        ...common,
        ...modernTaskMethods({ runs }),
        ...subscriptionMethods(runs),
      },
      legacy: { ...lifecycle.legacy, ...common, ...legacyTaskMethods({ runs, awaitResult }) },
    },
    report,
  );
  const receive = createReceive({
    dispatch,
    sessions: createLegacySessions(state),
    openCalls,
    runs,
    state,
    tracing,
  });
  const isAllowedHost = createHostCheck(config);
  return {
    routes(http) {
      mcpRoutes(http, {
        access,
        receive,
        openStream: limits.openStream,
        // Counted in this process, so that a call costs no query more.
        limiter: createRateLimiter(config.limits.endpointPerMinute, clock),
        isAllowedOrigin: (origin) =>
          config.corsOrigins.includes(origin) ||
          (URL.canParse(origin) && isAllowedHost(new URL(origin).host)),
        publicUrl: config.publicUrl,
      });
    },
    close: stopListening,
  };
}
