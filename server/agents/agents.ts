import { isDeepStrictEqual } from "node:util";
import type { Agent, CreateAgent, UpdateAgent } from "../../contract/agents.ts";
import type { PageQuery } from "../../contract/api.ts";
import type { Clock } from "../lib/clock.ts";
import { invalidRequest } from "../lib/errors.ts";
import { createId } from "../lib/ids.ts";
import type { AgentRecord, AgentStore } from "./agent.sql.ts";
import type { NamedDocuments } from "./agent-tools.ts";

export interface AgentsDeps {
  store: AgentStore;
  clock: Clock;
  /** Throws `workflow_not_found` or `forbidden`. */
  requireWorkflow(ownerId: string, workflowId: string): Promise<unknown>;
  /** Throws `document_not_found` or `collection_not_found`. */
  requireDocuments(ownerId: string, named: NamedDocuments): Promise<void>;
  /** Throws `mcp_server_not_found` or `forbidden`. */
  requireMcpServer(ownerId: string, serverId: string): Promise<unknown>;
  /** Throws when the owner has no such connection, or one that is not sent by HTTP. */
  requireConnection(ownerId: string, connectionId: string): Promise<void>;
  /** Throws when the app, one of the actions or the connection cannot be used. */
  requireApp(
    ownerId: string,
    tools: NonNullable<NonNullable<CreateAgent["tools"]>["apps"]>[number],
  ): Promise<void>;
}

export type Agents = ReturnType<typeof createAgents>;

export function createAgents({
  store,
  clock,
  requireWorkflow,
  requireDocuments,
  requireMcpServer,
  requireConnection,
  requireApp,
}: AgentsDeps) {
  /** What `current` has already is not checked: a record that was deleted would prevent every change. */
  async function check(
    ownerId: string,
    { tools, connection, baseUrl }: UpdateAgent,
    agent: AgentRecord,
    current?: AgentRecord,
  ) {
    if (connection && connection !== current?.connection) await requireConnection(ownerId, connection);
    if (agent.connection !== null && agent.provider === null)
      throw invalidRequest("A model with a connection needs a provider.", [
        { path: "provider", message: "is required with a connection" },
      ]);
    // The key of this instance must not be sent to an address of a user.
    if (agent.connection === null && baseUrl)
      throw invalidRequest("The address of a model server needs a connection.", [
        { path: "baseUrl", message: "needs a connection" },
      ]);
    if (tools !== undefined) await checkTools(ownerId, tools, current?.tools);
  }

  async function checkTools(ownerId: string, tools: Agent["tools"], kept: Agent["tools"] | undefined) {
    const added = <T>(given: readonly T[] = [], before: readonly T[] = []): T[] =>
      given.filter((tool) => !before.some((each) => isDeepStrictEqual(each, tool)));
    for (const id of added(tools.workflows, kept?.workflows)) await requireWorkflow(ownerId, id);
    await requireDocuments(ownerId, {
      documentIds: added(tools.documents, kept?.documents),
      collectionIds: added(tools.collections, kept?.collections),
    });
    for (const { server } of added(tools.mcp, kept?.mcp)) await requireMcpServer(ownerId, server);
    for (const app of added(tools.apps, kept?.apps)) await requireApp(ownerId, app);
  }

  /** The agent with these changes, which are not saved. */
  async function preview(ownerId: string, id: string, change: UpdateAgent): Promise<AgentRecord> {
    const current = await store.get(id, ownerId);
    const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
    const agent: AgentRecord = { ...current, ...given };
    await check(ownerId, change, agent, current);
    return agent.connection === null ? { ...agent, baseUrl: null } : agent;
  }

  return {
    async create(ownerId: string, given: CreateAgent): Promise<AgentRecord> {
      const now = clock.now();
      const agent: AgentRecord = {
        id: createId("agent", now),
        ownerId,
        name: given.name,
        description: given.description ?? "",
        role: given.role ?? "",
        provider: given.provider ?? null,
        model: given.model ?? null,
        connection: given.connection ?? null,
        baseUrl: given.baseUrl ?? null,
        capabilities: given.capabilities ?? [],
        systemPrompt: given.systemPrompt ?? "",
        temperature: given.temperature ?? null,
        tools: given.tools ?? { workflows: [], documents: [] },
        limits: given.limits ?? {},
        createdAt: now,
        updatedAt: now,
      };
      await check(ownerId, given, agent);
      await store.insert(agent);
      return agent;
    },

    get: (ownerId: string, id: string) => store.get(id, ownerId),
    list: (ownerId: string, page: PageQuery) => store.list(ownerId, page),
    remove: (ownerId: string, id: string) => store.remove(id, ownerId),

    preview,

    async update(ownerId: string, id: string, change: UpdateAgent): Promise<AgentRecord> {
      const agent: AgentRecord = { ...(await preview(ownerId, id, change)), updatedAt: clock.now() };
      await store.update(agent);
      return agent;
    },
  };
}
