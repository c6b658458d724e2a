import { createA2aPart } from "./a2a/part.ts";
import { applyRules, createAdministrationPart } from "./administration/part.ts";
import { createAuditPart } from "./audit/part.ts";
import { createBearerAccess } from "./accounts/bearer-access.ts";
import { createAccountDeletionPart, createAccountsPart } from "./accounts/part.ts";
import { builtInWorkflows } from "./agents/built-in-workflows.ts";
import { type AgentsPart, createAgentsPart } from "./agents/part.ts";
import { type AppCallsDeps, createAppCalls, createAppsPart } from "./apps/part.ts";
import { createChatPart } from "./chat/part.ts";
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
import { createFilesPart } from "./files/part.ts";
import { createLimitsPart } from "./limits/part.ts";
import { createMcpPart } from "./mcp/part.ts";
import { createModelsPart } from "./models/part.ts";
import { providerWarnings } from "./models/provider-warnings.ts";
import { createN8nImportPart } from "./n8n-import/part.ts";
import { createNotificationsPart } from "./notifications/part.ts";
import type { Part, Platform } from "./platform/part.ts";
import { createOAuthPart } from "./oauth/part.ts";
import { createOpenApiAppsPart } from "./openapi-apps/part.ts";
import { createOutboxPart } from "./outbox/part.ts";
import { createRunFilesPart } from "./run-files/part.ts";
import { createRetentionPart } from "./retention/part.ts";
import { createSearchPart } from "./search/part.ts";
import { createStorePart } from "./store/part.ts";
import { createSchedulesPart } from "./schedules/part.ts";
import { createPasswords, type Passwords } from "./security/passwords.ts";
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
import { foreignPlaceholders } from "./workflows/foreign-placeholders.ts";
import { createGenerationPart } from "./workflows/generation/part.ts";
import { createWorkflowsPart } from "./workflows/part.ts";
import { createTransfersPart } from "./transfers/part.ts";
import { createWorkspacesPart } from "./workspaces/part.ts";

export interface PartsOptions {
  passwords?: Passwords | undefined;
  /** In place of the apps that ship with Baton. */
  apps?: AppCallsDeps["apps"];
}

/** The composition root: creates the parts in the order of their dependencies. */
export async function createParts(
  platform: Platform & { jwtSecrets: [string, ...string[]] },
  options: PartsOptions,
) {
  // The two cycles: connections, documents and agents start, retry or wake tasks of the engine, which runs their steps;
  // values between runs belong to agents, which use them as memory. Neither function is called before all parts exist.
  const getEngine = (): Engine => enginePart.engine;
  const getAgent: AgentsPart["get"] = (ownerId, id) => agents.get(ownerId, id);

  const workspaces = await createWorkspacesPart(platform);
  const accounts = await createAccountsPart(platform, options.passwords ?? createPasswords(), workspaces);
  const rules = await applyRules(platform, accounts.credentials);
  const variables = createVariablesPart(platform);
  const runFilesPart = createRunFilesPart(platform);
  const { runFiles } = runFilesPart;
  const folders = createOwnerFolders(platform.files);
  const databases = createDatabases(platform, { runFiles, folders });
  const openApiApps = createOpenApiAppsPart(platform);
  const appCalls = createAppCalls(platform, {
    apps: options.apps,
    ownApps: openApiApps.apps,
    runFiles,
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
  const models = createModelsPart(platform);
  const workflows = createWorkflowsPart(
    platform,
    async (ownerId, graph) => [
      ...(await connections.warningsOf(ownerId, graph)),
      ...(await mcpServers.warningsOf(ownerId, graph)),
      ...(await openApiApps.warningsOf(ownerId, graph)),
      ...(await variables.warningsOf(ownerId, graph)),
      ...providerWarnings(models.models, graph),
      ...(await foreignPlaceholders(graph)),
    ],
    openApiApps.apisOf,
  );
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
    memory: store.keyValues,
    apps,
    documents: documents.documents,
  });
  const sessions = await createSessionPart(platform, agents, variables.vault, connections);

  const { serviceUrl } = platform.config;
  const approvalUrls = createApprovalUrls(serviceUrl, platform.jwtSecrets);
  const resumeUrls = createResumeUrls(serviceUrl, platform.jwtSecrets);
  const errorOwners = await openErrorOwners(platform);
  const outbox = createOutboxPart(platform);
  const notifications = createNotificationsPart(platform, workspaces, workflows);
  const events = await createEventsPart(platform, workflows, outbox.outbox, notifications.sink);
  const enginePart = await createEnginePart(platform, {
    listMembers: workspaces.listMembers,
    approvalUrl: (linkId) => approvalUrls.urlOf(linkId),
    resumeUrl: resumeUrls.urlOf,
    errorOwners,
    workflows: workflows.runnable,
    vault: variables.vault,
    connections,
    runFiles,
    folders,
    runners: {
      agent: agents.stepRunner,
      ...databases.createRunners(connections),
      app: apps.stepRunner,
      document_query: createDocumentQueryRunner(documents.documents, agents.liveAnswers),
      llm: createLlmRunner({
        ...platform,
        runFiles,
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
  const { engine, blobs } = enginePart;

  const tasksPart = createTasksPart(platform, {
    workflows,
    engine,
    approvalUrls,
    listMembers: workspaces.listMembers,
  });
  const { tasks } = tasksPart;
  const errorWorkflows = createErrorWorkflowsPart(platform, {
    workflows,
    engine,
    owners: errorOwners,
  });
  const exposure = createExposurePart(platform, workflows);
  const triggers = createTriggersPart(platform, {
    workflows,
    engine,
    agents,
    logins: accounts.logins,
    runFiles,
    apps,
    connections,
  });
  const audit = createAuditPart(platform, events, outbox.outbox);
  const retention = createRetentionPart(platform, {
    blobs,
    engine,
    runFiles,
    workspaceRetention: rules.workspaceRetention,
    prunableRows: [outbox.prune, exposure.pruneCalls, notifications.prune],
    dropExpired: [triggers.dropOldMessages, store.removeExpired, audit.dropExpired],
  });
  const schedules = createSchedulesPart(platform, workflows, engine);
  const endpoints = createEndpointsPart(platform, {
    workflows,
    engine,
    runFiles,
    credentials: accounts.credentials,
  });
  const oauth = createOAuthPart(platform, workspaces.memberships, accounts.credentials);
  const webhooks = createWebhooksPart(platform, workflows, engine, runFiles);
  const teams = createTeamsPart(platform, {
    agents,
    session: sessions,
    engine,
    tasks,
    logins: accounts.logins,
    memberships: workspaces.memberships,
    documentStatus: documents.readStatus,
    blobs,
    connections,
    onNotifications: notifications.subscribe,
  });

  const administration = createAdministrationPart(platform, {
    accounts,
    memberships: workspaces.memberships,
    rules,
    stopTask: {
      run: ({ id }) => engine.cancel(id),
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
    engine,
    tasks,
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
    engine,
    tasks,
    teams,
    sessions,
  });
  const chat = createChatPart(platform, {
    access,
    exposure,
    engine,
    tasks,
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
      drafts: workflows.drafts,
      memberships: workspaces.memberships,
      documents,
      runFiles: runFilesPart.fileCopies,
    }),
    workflows,
    mcpServers,
    openApiApps,
    apps,
    models,
    generation,
    createN8nImportPart(platform, workflows),
    documents,
    createFilesPart(platform),
    runFilesPart,
    enginePart,
    tasksPart,
    createWaitEventsPart(platform, { engine, access, resumeUrls, tasks }),
    createExpressionsPart(platform, enginePart),
    createStatsPart(platform, workflows),
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
  return {
    parts: [...features, createAccountDeletionPart(platform, features)],
    workspaces,
    accounts,
    engine,
    endpoints,
    triggers,
    audit,
  };
}
