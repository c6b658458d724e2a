import type { AgentRecord, AgentStore } from "./agent.sql.ts";
import type { AgentMemory } from "./memory-tools.ts";
import type { AppsPart } from "../apps/part.ts";
import { type AgentToolsDeps, createAgentTools } from "./agent-tools.ts";
import { createAgents } from "./agents.ts";
import { createLiveAnswers, type LiveAnswers } from "./live-answers.ts";
import { createAgentRunner, type RunAgent } from "./run-agent.ts";
import type { StepRunner } from "../engine/run/step-runner.ts";
import { createAgentChats } from "./agent-chat.ts";
import { agentChatRoutes } from "./agent-chat.routes.ts";
import { createToolPermissions } from "./tool-permissions.ts";
import { agentRoutes } from "./agent.routes.ts";
import type { OpenModel } from "../connections/open-model.ts";
import type { ConnectionsPart } from "../connections/part.ts";
import { createAgentStepRunner } from "../steps/agent.ts";
import { createAgentStore } from "./agent.sql.ts";
import type { Documents } from "../documents/documents.ts";
import type { McpServersPart } from "../mcp-servers/part.ts";
import type { Platform, Part } from "../platform/part.ts";
import { deleteOwned } from "../storage/delete-owned.ts";
import type { WorkflowsPart } from "../workflows/part.ts";

export interface AgentsPart extends Part {
  runAgent: RunAgent;
  stepRunner: StepRunner;
  /** Throws `agent_not_found` or `forbidden`. */
  get(ownerId: string, id: string): Promise<AgentRecord>;
  /** The text of answers while they are written. */
  liveAnswers: LiveAnswers;
  registered: AgentStore["listByIds"];
}

const PERMISSION_CHANNEL = "agent_tool_call";

export interface AgentsPartDeps {
  engine: AgentToolsDeps["engine"];
  workflows: WorkflowsPart;
  openModel: OpenModel;
  connections: Pick<ConnectionsPart, "requireHttp">;
  mcpServers: McpServersPart;
  memory: AgentMemory;
  apps: Pick<AppsPart, "agentActions">;
  documents: Pick<Documents, "requireReadable" | "readableAmong">;
}

export async function createAgentsPart(
  { config, db, clock, limits, report }: Platform,
  {
    engine,
    workflows: workflowsPart,
    openModel,
    connections,
    mcpServers,
    memory,
    apps,
    documents,
  }: AgentsPartDeps,
): Promise<AgentsPart> {
  const { workflows, runnable } = workflowsPart;
  const store = createAgentStore(db);
  const toolsFor = createAgentTools({
    engine,
    workflow: (ownerId, id) => runnable.findCurrent(id, ownerId),
    readable: documents.readableAmong,
    mcp: { tools: mcpServers.namedTools },
    apps: apps.agentActions,
    memory,
  });
  const runAgent = createAgentRunner({ openModel, toolsFor });
  const liveAnswers = createLiveAnswers();
  const agents = createAgents({
    store,
    clock,
    requireWorkflow: workflows.get,
    requireDocuments: documents.requireReadable,
    requireMcpServer: mcpServers.get,
    requireConnection: connections.requireHttp,
    requireApp: apps.agentActions.require,
  });
  const isShared = config.database.url !== undefined;
  const permissions = createToolPermissions({
    publish: isShared ? (message) => db.notify(PERMISSION_CHANNEL, message) : undefined,
  });
  const stopListening = await db.listen(PERMISSION_CHANNEL, permissions.onPeerMessage);
  const chats = createAgentChats({ agents, openModel, runAgent, permissions, clock, onError: report });
  return {
    runAgent,
    stepRunner: createAgentStepRunner({ agents: store, run: runAgent, liveAnswers }),
    liveAnswers,
    get: agents.get,
    registered: (ids, ownerId): Promise<AgentRecord[]> => store.listByIds(ids, ownerId),
    eraseOwner: (ownerId, batches) => batches.deleteAll((limit) => deleteOwned(db, "agent", ownerId, limit)),
    routes(http) {
      agentRoutes(http, { agents, runAgent });
      agentChatRoutes(http, { chats, openStream: limits.openStream });
    },
    close: stopListening,
  };
}
