import type { AgentCard } from "@a2a-js/sdk";
import type { FastifyReply, FastifyRequest } from "fastify";
import * as z from "zod";
import { errorSchema } from "../../contract/api.ts";
import type { DiscoveryEntry } from "../../contract/teams.ts";
import { agentCardOf } from "./agent-card.ts";
import { loadSdk, type Sdk } from "./sdk.ts";
import { createTeamAgent, type TeamAgentDeps } from "./team-agent.ts";
import { notFound } from "../lib/errors.ts";
import type { Limits } from "../limits/limits.ts";
import { clientNetwork } from "../security/address-classes.ts";
import type { TeamRecord } from "../teams/team.sql.ts";
import { encodeEvents, type RestResponse, type RestCall, sendByRest, taskByRest } from "./a2a-rest.ts";
import { type A2aAccessDeps, a2aAccessHooks } from "./a2a-webhook.routes.ts";
import { limitRate } from "../http/rate-limit.ts";
import type { HttpServer } from "../http/server.ts";

export interface A2aRoutesDeps extends A2aAccessDeps, Pick<TeamAgentDeps, "sessions" | "signals" | "waitMs"> {
  openStream: Limits["openStream"];
  findTeam(id: string): Promise<TeamRecord | undefined>;
  discovery(team: TeamRecord): Promise<DiscoveryEntry[]>;
  /** The public URL of the service; without it, the address of the request is used. */
  publicUrl: string | undefined;
}

type Agent = ReturnType<typeof createTeamAgent>;
const tags = ["a2a"];
const config = { auth: "public" } as const;
const params = z.object({ teamId: z.string() });

/** Each team as an A2A 1.0 agent: its card, JSON-RPC at its URL, HTTP+JSON below it. */
export function a2aRoutes(app: HttpServer, deps: A2aRoutesDeps): void {
  const cardOf = async (team: TeamRecord, request: FastifyRequest): Promise<AgentCard> =>
    agentCardOf(team, await deps.discovery(team), deps.publicUrl ?? `${request.protocol}://${request.host}`);

  app.get(
    "/a2a/:teamId/.well-known/agent-card.json",
    {
      config,
      onRequest: limitRate(deps.limiter, (request) => `${request.ip} card`),
      schema: {
        tags,
        operationId: "getAgentCard",
        summary: "The team's A2A agent card",
        security: [],
        params,
        response: { 200: z.looseObject({}), "4xx": errorSchema },
      },
    },
    async (request) => {
      const team = await deps.findTeam(request.params.teamId);
      if (team === undefined) throw notFound("team");
      const { types } = await loadSdk();
      return types.AgentCard.toJSON(await cardOf(team, request)) as Record<string, unknown>;
    },
  );

  // Shutdown does not wait for running tasks: waiting callers get the current state.
  const closing = new AbortController();
  app.addHook("preClose", (done) => {
    closing.abort();
    done();
  });

  /** Only external agents that the team lists, as in the webhook. */
  async function agentFor(request: FastifyRequest, reply: FastifyReply, sdk: Sdk): Promise<Agent> {
    const team = request.authenticatedTeam!;
    const name = String(request.headers["x-a2a-agent"] ?? "");
    deps.intake.requireListed(team, { id: name, type: "external" });
    const disconnected = new AbortController();
    reply.raw.once("close", () => disconnected.abort());
    return createTeamAgent({
      ...deps,
      sdk,
      team,
      agentName: name,
      card: () => cardOf(team, request),
      disconnected: AbortSignal.any([disconnected.signal, closing.signal]),
    });
  }

  async function contextOf(
    request: FastifyRequest,
    sdk: Sdk,
    agent: Agent,
    binding: "JSONRPC" | "HTTP+JSON",
  ) {
    const version = request.headers["a2a-version"];
    const context = new sdk.server.ServerCallContext(
      typeof version === "string" ? { requestedVersion: version } : {},
    );
    sdk.server.validateVersion(context.requestedVersion, await agent.getAgentCard(), binding);
    return context;
  }

  /** A request may stay open for as long as a session works, so each counts as a stream of its team. */
  async function countStream(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const endStream = deps.openStream(`a2a ${request.authenticatedTeam!.id}`, clientNetwork(request.ip));
    reply.raw.once("close", endStream);
    if (reply.raw.closed) endStream();
  }

  const onRequest = [...a2aAccessHooks(deps), countStream];
  const authenticated = { config, bodyLimit: deps.bodyLimitBytes, onRequest };
  const described = { tags, security: [], params, response: { 200: z.looseObject({}), "4xx": errorSchema } };

  app.post(
    "/a2a/:teamId",
    {
      ...authenticated,
      schema: { ...described, operationId: "callA2a", summary: "A2A over JSON-RPC", body: z.unknown() },
    },
    async (request, reply) => {
      const sdk = await loadSdk();
      const agent = await agentFor(request, reply, sdk);
      const handler = new sdk.server.JsonRpcTransportHandler(agent);
      const body = (request.body ?? {}) as Record<string, unknown>;
      try {
        const context = await contextOf(request, sdk, agent, "JSONRPC");
        const response = await handler.handle(body, context);
        if (Symbol.asyncIterator in response)
          return await sendEvents(reply, response, (error) => rpcError(sdk, body, error));
        return await reply.type("application/json; charset=utf-8").serializer(JSON.stringify).send(response);
      } catch (error) {
        return reply
          .type("application/json; charset=utf-8")
          .serializer(JSON.stringify)
          .send(rpcError(sdk, body, error));
      }
    },
  );

  /** One operation of the HTTP+JSON binding. */
  async function byRest(
    request: FastifyRequest,
    reply: FastifyReply,
    operation: (call: RestCall) => Promise<RestResponse>,
  ): Promise<never> {
    const sdk = await loadSdk();
    const agent = await agentFor(request, reply, sdk);
    const fail = (error: unknown): Record<string, unknown> => ({
      ...sdk.errors.toRestErrorBody(error, sdk.errors.restStatusFor(error)),
    });
    const send = (status: number, body: Record<string, unknown>): FastifyReply =>
      reply.status(status).type("application/a2a+json").serializer(JSON.stringify).send(body);
    try {
      const context = await contextOf(request, sdk, agent, "HTTP+JSON");
      const response = await operation({ sdk, agent, context, request });
      await (Symbol.asyncIterator in response
        ? sendEvents(reply, encodeEvents(sdk, response), fail)
        : send(200, response));
    } catch (error) {
      await send(sdk.errors.restStatusFor(error), fail(error));
    }
    return reply as never;
  }

  app.post(
    "/a2a/:teamId/:operation",
    {
      ...authenticated,
      schema: {
        ...described,
        operationId: "sendA2aMessage",
        summary: "A2A over HTTP+JSON: message:send and message:stream",
        params: params.extend({ operation: z.string() }),
        body: z.unknown(),
      },
    },
    (request, reply) => byRest(request as FastifyRequest, reply as unknown as FastifyReply, sendByRest),
  );
  const taskParams = params.extend({
    taskId: z.string().describe("The id of a task, optionally followed by :cancel or :subscribe"),
  });
  for (const method of ["GET", "POST"] as const) {
    app.route({
      method,
      url: "/a2a/:teamId/tasks/:taskId",
      ...authenticated,
      schema: {
        ...described,
        operationId: method === "GET" ? "getA2aTask" : "changeA2aTask",
        summary:
          method === "GET"
            ? "A2A over HTTP+JSON: read or follow a task"
            : "A2A over HTTP+JSON: cancel or follow a task",
        params: taskParams,
      },
      handler: (request, reply) =>
        byRest(request as FastifyRequest, reply as unknown as FastifyReply, taskByRest),
    });
  }
}

/** Starts the stream with the first event: an error before it is an ordinary error response. */
async function sendEvents(
  reply: FastifyReply,
  events: AsyncGenerator,
  fail: (error: unknown) => object,
): Promise<FastifyReply> {
  let next = await events.next();
  reply.hijack();
  reply.raw.writeHead(200, {
    ...(reply.getHeaders() as Record<string, string>),
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-store",
  });
  try {
    for (; next.done !== true; next = await events.next())
      reply.raw.write(`data: ${JSON.stringify(next.value)}\n\n`);
  } catch (error) {
    reply.raw.write(`data: ${JSON.stringify(fail(error))}\n\n`);
  } finally {
    reply.raw.end();
  }
  return reply;
}

function rpcError({ server }: Sdk, { id }: Record<string, unknown>, error: unknown): Record<string, unknown> {
  const known = typeof id === "string" || typeof id === "number" ? id : null;
  return { jsonrpc: "2.0", id: known, error: server.JsonRpcTransportHandler.mapToJSONRPCError(error) };
}
