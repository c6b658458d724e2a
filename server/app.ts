import type { Config } from "./config.ts";
import { pageRoutes } from "./http/page-routes.ts";
import type { HttpServer } from "./http/server.ts";
import type { Clock } from "./lib/clock.ts";
import { createAccountsPart } from "./parts/accounts.ts";
import { createAgentsPart } from "./parts/agents.ts";
import { createDocumentsPart } from "./parts/documents.ts";
import { createEdge } from "./parts/edge.ts";
import { createEnginePart } from "./parts/engine.ts";
import { createGenerationPart } from "./parts/generation.ts";
import { openGround } from "./parts/ground.ts";
import { createModelsPart } from "./parts/models.ts";
import type { Part } from "./parts/part.ts";
import { createSchedulesPart } from "./parts/schedules.ts";
import { createSessionsPart } from "./parts/sessions.ts";
import { createTeamsPart } from "./parts/teams.ts";
import { createTriggersPart } from "./parts/triggers.ts";
import { createWorkflowsPart } from "./parts/workflows.ts";
import { createPasswords, type Passwords } from "./security/passwords.ts";
import { createDocumentQueryRunner } from "./steps/document-query.ts";
import { createLlmRunner } from "./steps/llm.ts";
import { createMcpRunner } from "./steps/mcp.ts";

export interface App {
  http: HttpServer;
  /** Starts to listen; returns the address of the page. */
  listen(): Promise<string>;
  close(): Promise<void>;
}

/** The composition root: which parts there are and which stands on which. Open, build, serve; close runs backwards. */
export async function createApp(
  config: Config,
  { clock, passwords = createPasswords() }: { clock?: Clock; passwords?: Passwords } = {},
): Promise<App> {
  const ground = await openGround(config, clock);
  const accounts = createAccountsPart(ground, passwords);
  const workflows = createWorkflowsPart(ground);
  const models = createModelsPart(ground);
  const generation = createGenerationPart(ground, workflows.workflows, models.models);
  const documents = await createDocumentsPart(ground, models.models);
  const agents = createAgentsPart(ground, workflows, models.models);
  const runners = {
    agent: agents.stepRunner,
    document_query: createDocumentQueryRunner(documents.documents),
    llm: createLlmRunner(models),
    mcp: createMcpRunner(ground),
  };
  const sessions = await createSessionsPart(ground, agents);
  const engine = await createEnginePart(ground, workflows, runners, sessions.driving);
  agents.useEngine(engine.engine);
  const schedules = createSchedulesPart(ground, workflows, engine.engine);
  const triggers = createTriggersPart(ground, workflows, engine.engine);
  const teams = createTeamsPart(ground, agents, sessions, engine, accounts.tokens, documents.standing);
  const parts: Part[] = [
    accounts,
    workflows,
    models,
    generation,
    documents,
    engine,
    schedules,
    triggers,
    agents,
    teams,
  ];

  const http = await createEdge(ground, accounts.tokens.verify);
  if (config.role !== "worker") {
    for (const part of parts) part.routes(http);
    await pageRoutes(http);
  }
  if (config.role !== "api") for (const part of parts) part.begin?.();

  let closing: Promise<void> | undefined;
  async function closeAll(): Promise<void> {
    await Promise.all([http.close(), ...parts.map((part) => part.stop?.())]);
    for (const part of parts.toReversed()) await part.close?.();
    await ground.close();
  }

  return {
    http,
    listen: () => http.listen({ host: config.host, port: config.port }),
    close: () => (closing ??= closeAll()),
  };
}
