import type { Config } from "./config.ts";
import { pageRoutes } from "./http/page.routes.ts";
import type { HttpServer } from "./http/server.ts";
import type { Clock } from "./lib/clock.ts";
import { createAccountsPart } from "./accounts/part.ts";
import { createAgentsPart } from "./agents/part.ts";
import { createDocumentsPart } from "./documents/part.ts";
import { openHttp } from "./http/open-http.ts";
import { createEnginePart } from "./tasks/part.ts";
import { createGenerationPart } from "./workflows/generation/part.ts";
import { openPlatform } from "./platform/open-platform.ts";
import { createModelsPart } from "./models/part.ts";
import type { Part } from "./platform/part.ts";
import { createSchedulesPart } from "./schedules/part.ts";
import { createSessionsPart } from "./teams/sessions/part.ts";
import { createTeamsPart } from "./teams/part.ts";
import { createTriggersPart } from "./webhooks/part.ts";
import { createWorkflowsPart } from "./workflows/part.ts";
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
  const platform = await openPlatform(config, clock);
  const accounts = createAccountsPart(platform, passwords);
  const workflows = createWorkflowsPart(platform);
  const models = createModelsPart(platform);
  const generation = createGenerationPart(platform, workflows.workflows, models.models);
  const documents = await createDocumentsPart(platform, models.models);
  const agents = createAgentsPart(platform, workflows, models.models);
  const runners = {
    agent: agents.stepRunner,
    document_query: createDocumentQueryRunner(documents.documents),
    llm: createLlmRunner(models),
    mcp: createMcpRunner(platform),
  };
  const sessions = await createSessionsPart(platform, agents);
  const engine = await createEnginePart(platform, workflows, runners, sessions.driving);
  agents.useEngine(engine.engine);
  const schedules = createSchedulesPart(platform, workflows, engine.engine);
  const triggers = createTriggersPart(platform, workflows, engine.engine);
  const teams = createTeamsPart(platform, agents, sessions, engine, accounts.tokens, documents.standing);
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

  const http = await openHttp(platform, accounts.tokens.verify);
  if (config.role !== "worker") {
    for (const part of parts) part.routes(http);
    await pageRoutes(http);
  }
  if (config.role !== "api") for (const part of parts) part.begin?.();

  let closing: Promise<void> | undefined;
  async function closeAll(): Promise<void> {
    await Promise.all([http.close(), ...parts.map((part) => part.stop?.())]);
    for (const part of parts.toReversed()) await part.close?.();
    await platform.close();
  }

  return {
    http,
    listen: () => http.listen({ host: config.host, port: config.port }),
    close: () => (closing ??= closeAll()),
  };
}
