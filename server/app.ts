import { createA2aPart } from "./a2a/part.ts";
import { applyRules, createAdministrationPart } from "./administration/part.ts";
import { createAuditPart } from "./audit/part.ts";
import { INSTANCE_CHAIN } from "./audit/chain.ts";
import { createBearerAccess } from "./accounts/bearer-access.ts";
import { createAccountDeletionPart, createAccountsPart } from "./accounts/part.ts";
import { builtInWorkflows } from "./agents/built-in-workflows.ts";
import { type AgentsPart, createAgentsPart } from "./agents/part.ts";
import { type AppCallsDeps, createAppCalls, createAppsPart } from "./apps/part.ts";
import { createChatPart } from "./chat/part.ts";
import type { Config } from "./config.ts";
import { createOpenModel } from "./connections/open-model.ts";
import { createConnectionsPart } from "./connections/part.ts";
import { createDatabases } from "./databases/part.ts";
import { createDocumentsPart } from "./documents/part.ts";
import { createEndpointsPart } from "./endpoints/part.ts";
import type { Engine } from "./engine/engine-api.ts";
import { createEnginePart } from "./engine/part.ts";
import { createErrorWorkflowsPart, openErrorOwners } from "./error-workflows/part.ts";
import { createEventsPart } from "./events/part.ts";
import { createExpressionsPart } from "./expressions/part.ts";
import { createExposurePart } from "./exposure/part.ts";
import { addRoutes } from "./http/add-routes.ts";
import { webRoutes } from "./http/web.routes.ts";
import type { HttpServer } from "./http/server.ts";
import type { Clock } from "./lib/clock.ts";
import { createFilesPart } from "./files/part.ts";
import { createLimitsPart } from "./limits/part.ts";
import { createMcpPart } from "./mcp/part.ts";
import { createModelsPart } from "./models/part.ts";
import { createNotificationsPart } from "./notifications/part.ts";
import { openHttp } from "./platform/open-http.ts";
import { openPlatform } from "./platform/open-platform.ts";
import type { Part } from "./platform/part.ts";
import { createOAuthPart } from "./oauth/part.ts";
import { createOpenApiAppsPart } from "./openapi-apps/part.ts";
import { createOutboxPart } from "./outbox/part.ts";
import { createRunFilesPart } from "./run-files/part.ts";
import { createRetentionPart } from "./retention/part.ts";
import { createSearchPart } from "./search/part.ts";
import { createStorePart } from "./store/part.ts";
import { createSchedulesPart } from "./schedules/part.ts";
import { createPasswords, type Passwords } from "./security/passwords.ts";
import { isAdministrator } from "./storage/administrator.ts";
import { createDocumentQueryRunner } from "./steps/document-query.ts";
import { createSmtpTest } from "./steps/smtp.ts";
import { createImapTest } from "./triggers/email/open-mailbox.ts";
import { createOwnerFolders } from "./steps/owner-files.ts";
import { createLlmRunner } from "./steps/llm.ts";
import { createMcpServersPart } from "./mcp-servers/part.ts";
import { createMcpRunner } from "./steps/mcp.ts";
import { createApprovalUrls } from "./tasks/approval-urls.ts";
import { createStatsPart } from "./stats/part.ts";
import { createTasksPart } from "./tasks/part.ts";
import { createTeamsPart } from "./teams/part.ts";
import { createSessionPart } from "./teams/session/part.ts";
import { createTriggersPart } from "./triggers/part.ts";
import { createVariablesPart } from "./variables/part.ts";
import { createWebhooksPart } from "./webhooks/part.ts";
import { createWaitEventsPart } from "./wait-events/part.ts";
import { createResumeUrls } from "./wait-events/resume-urls.ts";
import { createGenerationPart } from "./workflows/generation/part.ts";
import { createWorkflowsPart } from "./workflows/part.ts";
import { createTransfersPart } from "./transfers/part.ts";
import { createWorkspacesPart } from "./workspaces/part.ts";

export interface App {
  http: HttpServer;
  /** The set-up code that the first account needs to register; undefined when none is needed. */
  setupCode(): Promise<string | undefined>;
  /** Starts listening; returns the URL of the page. */
  listen(): Promise<string>;
  /** Begins to run tasks and background work. Called last: a start that fails must interrupt no run, nor repeat a step. */
  start(): void;
  close(): Promise<void>;
}

export interface AppOptions {
  clock?: Clock;
  passwords?: Passwords;
  /** In place of the apps that ship with Baton. */
  apps?: AppCallsDeps["apps"];
}

/** The composition root: builds the parts in order of their dependencies, then serves them. */
export async function createApp(
  config: Config,
  { clock, passwords = createPasswords(), apps: appList }: AppOptions = {},
): Promise<App> {
  const platform = await openPlatform(config, clock);

  // The two cycles: connections, documents and agents start, retry or wake tasks of the engine, which runs their steps;
  // values between runs belong to agents, which use them as memory. Both functions are called only after `createApp`.
  const getEngine = (): Engine => engine.engine;
  const getAgent: AgentsPart["get"] = (ownerId, id) => agents.get(ownerId, id);

  const workspaces = await createWorkspacesPart(platform);
  const accounts = await createAccountsPart(platform, passwords, workspaces);
  const rules = await applyRules(platform, accounts.credentials);
  const variables = createVariablesPart(platform);
  const runFiles = createRunFilesPart(platform);
  const folders = createOwnerFolders(platform.files);
  const databases = createDatabases(platform, { runFiles: runFiles.runFiles, folders });
  const openApiApps = createOpenApiAppsPart(platform);
  const appCalls = createAppCalls(platform, {
    apps: appList,
    ownApps: openApiApps.apps,
    runFiles: runFiles.runFiles,
  });
  const connections = createConnectionsPart(platform, {
    engine: getEngine,
    apps: appCalls.connectionApps,
    tests: {
      smtp: createSmtpTest(platform),
      imap: createImapTest(platform),
      ...databases.connectionTests,
    },
  });
  const mcpServers = createMcpServersPart(platform, connections);
  const workflows = createWorkflowsPart(
    platform,
    async (ownerId, graph) => [
      ...(await connections.warningsOf(ownerId, graph)),
      ...(await mcpServers.warningsOf(ownerId, graph)),
      ...(await openApiApps.warningsOf(ownerId, graph)),
    ],
    openApiApps.apisOf,
  );
  const models = createModelsPart(platform);
  const openModel = createOpenModel({ ...platform, models: models.models, useConnection: connections.use });
  const generation = createGenerationPart(platform, workflows.workflows, models.models);
  const documents = await createDocumentsPart(platform, { models: models.models, engine: getEngine });
  const store = createStorePart(platform, {
    workflow: workflows.workflows.get,
    agent: getAgent,
  });
  const apps = createAppsPart(platform, { ...appCalls, useConnection: connections.use });
  const agents = await createAgentsPart(platform, {
    engine: getEngine,
    workflows,
    openModel,
    connections,
    mcpServers,
    memory: store.store,
    apps,
  });
  const sessions = await createSessionPart(platform, agents, variables.vault, connections);

  const approvalUrls = createApprovalUrls(config.serviceUrl, platform.jwtSecrets);

  const resumeUrls = createResumeUrls(config.serviceUrl, platform.jwtSecrets);

  const errorOwners = await openErrorOwners(platform);
  const outbox = createOutboxPart(platform);
  const notifications = createNotificationsPart(platform, workspaces);
  const events = await createEventsPart(platform, workflows, outbox.outbox, notifications.sink);
  const engine = await createEnginePart(platform, {
    listMembers: workspaces.listMembers,
    approvalUrl: (linkId) => approvalUrls.urlOf(linkId),
    resumeUrl: resumeUrls.urlOf,
    errorOwners,
    workflows: workflows.runnable,
    vault: variables.vault,
    connections,
    runFiles: runFiles.runFiles,
    folders,
    runners: {
      agent: agents.stepRunner,
      ...databases.createRunners(connections),
      app: apps.stepRunner,
      document_query: createDocumentQueryRunner(documents.documents, agents.liveAnswers),
      llm: createLlmRunner({
        ...platform,
        runFiles: runFiles.runFiles,
        openModel,
        liveAnswers: agents.liveAnswers,
      }),
      mcp: createMcpRunner(mcpServers),
      store: store.stepRunner,
    },
    builtInWorkflows,
    eventOwners: events.eventOwners,
    hiddenTasks: [sessions.hiddenTasks, documents.hiddenTasks],
  });

  const tasks = createTasksPart(platform, {
    workflows,
    engine: engine.engine,
    approvalUrls,
    listMembers: workspaces.listMembers,
  });
  const errorWorkflows = createErrorWorkflowsPart(platform, {
    workflows,
    engine: engine.engine,
    owners: errorOwners,
  });
  const exposure = createExposurePart(platform, workflows);
  const triggers = createTriggersPart(platform, {
    workflows,
    engine: engine.engine,
    agents,
    logins: accounts.logins,
    runFiles: runFiles.runFiles,
    apps,
    connections,
  });
  const audit = createAuditPart(platform, events, outbox.outbox);
  const retention = createRetentionPart(platform, {
    blobs: engine.blobs,
    engine: engine.engine,
    runFiles: runFiles.runFiles,
    workspaceRetention: rules.workspaceRetention,
    prunableRows: [outbox.prune, exposure.pruneCalls, notifications.prune],
    dropExpired: [triggers.dropOldMessages, store.removeExpired, audit.dropExpired],
  });
  const schedules = createSchedulesPart(platform, workflows, engine.engine);
  const endpoints = createEndpointsPart(platform, {
    workflows,
    engine: engine.engine,
    runFiles: runFiles.runFiles,
    credentials: accounts.credentials,
  });
  const oauth = createOAuthPart(platform, workspaces.memberships, accounts.credentials);
  const webhooks = createWebhooksPart(platform, workflows, engine.engine, runFiles.runFiles);
  const teams = createTeamsPart(platform, {
    agents,
    session: sessions,
    engine: engine.engine,
    tasks: tasks.tasks,
    logins: accounts.logins,
    memberships: workspaces.memberships,
    documentStatus: documents.readStatus,
    blobs: engine.blobs,
    connections,
    onNotifications: notifications.subscribe,
  });

  const administration = createAdministrationPart(platform, {
    accounts,
    memberships: workspaces.memberships,
    rules,
    stopTask: {
      run: ({ id }) => engine.engine.cancel(id),
      session: ({ id, workspaceId }) => teams.sessions.stop(workspaceId, id),
      ingestion: ({ id }) => documents.documents.stop(id),
    },
  });

  const access = createBearerAccess({
    keys: endpoints.keys,
    oauth: oauth.accessTokens,
    watch: accounts.credentials.watch,
  });
  const a2a = createA2aPart(platform, {
    teams,
    engine: engine.engine,
    tasks: tasks.tasks,
    exposure,
    outbox: outbox.outbox,
    bearerAccess: access,
    credentials: accounts.credentials,
    workspaceExists: workspaces.memberships.exists,
  });
  const mcp = await createMcpPart(platform, {
    access,
    exposure,
    workflows,
    documents,
    engine: engine.engine,
    tasks: tasks.tasks,
    teams,
    sessions,
  });
  const chat = createChatPart(platform, {
    access,
    exposure,
    engine: engine.engine,
    tasks: tasks.tasks,
    agents,
    teams,
    sessions,
  });

  const features: Part[] = [
    createLimitsPart(platform),
    administration,
    audit,
    workspaces,
    accounts,
    variables,
    connections,
    store,
    createTransfersPart(platform, {
      workflows: workflows.workflows,
      memberships: workspaces.memberships,
      documents,
      runFiles: runFiles.fileCopies,
    }),
    workflows,
    mcpServers,
    openApiApps,
    apps,
    models,
    generation,
    documents,
    createFilesPart(platform),
    runFiles,
    engine,
    tasks,
    createWaitEventsPart(platform, { engine: engine.engine, access, resumeUrls, tasks: tasks.tasks }),
    createExpressionsPart(platform, engine),
    createStatsPart(platform),
    createSearchPart(platform, documents.documents),
    outbox,
    errorWorkflows,
    notifications,
    events,
    retention,
    schedules,
    triggers,
    endpoints,
    oauth,
    webhooks,
    exposure,
    agents,
    teams,
    mcp,
    chat,
    a2a,
  ];
  const parts = [...features, createAccountDeletionPart(platform, features)];

  const http = await openHttp(
    platform,
    {
      logins: accounts.logins,
      keys: endpoints.keys,
      memberships: workspaces.memberships,
      isAdministrator: (userId) => isAdministrator(platform.db, userId),
    },
    { recorder: audit.recorder, instanceChain: INSTANCE_CHAIN, report: platform.report },
  );
  if (config.role !== "worker") {
    addRoutes(http, () => {
      for (const part of parts) part.routes?.(http);
    });
    await webRoutes(http, { chatOrigins: triggers.chatOrigins });
  }

  let closing: Promise<void> | undefined;
  async function closeAll(): Promise<void> {
    await Promise.all([http.close(), ...parts.map((part) => part.stop?.())]);
    for (const part of parts.toReversed()) await part.close?.();
    await platform.close();
  }

  return {
    http,
    setupCode: accounts.setupCode,
    listen: () => http.listen({ host: config.host, port: config.port }),
    start() {
      engine.engine.claimTasks();
      if (config.role !== "api") for (const part of parts) part.start?.();
    },
    close: () => (closing ??= closeAll()),
  };
}
