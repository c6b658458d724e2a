import { join } from "node:path";
import packageFile from "../package.json" with { type: "json" };
import { createAccounts } from "./accounts/accounts.ts";
import { buildDocuments } from "./build-documents.ts";
import type { Config } from "./config.ts";
import { createEngine } from "./engine/engine.ts";
import { accountRoutes } from "./http/account-routes.ts";
import { requireLogin } from "./http/auth.ts";
import { documentRoutes } from "./http/document-routes.ts";
import { documentUploadRoutes } from "./http/document-upload-routes.ts";
import { parseJsonBody } from "./http/json-body.ts";
import { keyRoutes } from "./http/key-routes.ts";
import { modelRoutes } from "./http/model-routes.ts";
import { openApi } from "./http/openapi.ts";
import { publicRoutes } from "./http/public-routes.ts";
import { runRoutes } from "./http/run-routes.ts";
import { scheduleRoutes } from "./http/schedule-routes.ts";
import { createHttpServer, type HttpServer } from "./http/server.ts";
import { stepTypeRoutes } from "./http/step-type-routes.ts";
import { systemRoutes } from "./http/system-routes.ts";
import { taskEventRoutes } from "./http/task-event-routes.ts";
import { taskRoutes } from "./http/task-routes.ts";
import { templateRoutes } from "./http/template-routes.ts";
import { variableRoutes } from "./http/variable-routes.ts";
import { webhookIntakeRoutes } from "./http/webhook-intake-routes.ts";
import { webhookRoutes } from "./http/webhook-routes.ts";
import { workflowRoutes } from "./http/workflow-routes.ts";
import { type Keys, loadKeys } from "./key-files.ts";
import { createFolderBlobs } from "./lib/blob-store.ts";
import { type Clock, systemClock } from "./lib/clock.ts";
import { notFound } from "./lib/errors.ts";
import { createRateLimiter } from "./lib/rate-limiter.ts";
import { createLogger, type Logger } from "./log.ts";
import { createMetrics } from "./metrics.ts";
import { createRetention } from "./retention/retention.ts";
import { createScheduleLoop } from "./schedules/schedule-loop.ts";
import { createSchedules } from "./schedules/schedules.ts";
import { openLanguageModels } from "./models/open-models.ts";
import { textModel } from "./models/text-model.ts";
import { createEgress } from "./security/egress.ts";
import { createSecretBox } from "./security/secret-box.ts";
import { createTokens } from "./security/tokens.ts";
import { createDocumentQueryRunner } from "./steps/document-query.ts";
import { createExpressions } from "./steps/expressions.ts";
import { createLlmRunner } from "./steps/llm.ts";
import { createMcpRunner } from "./steps/mcp.ts";
import { createStepRunners } from "./steps/registry.ts";
import { createAccountStore } from "./storage/account-store.ts";
import type { Db } from "./storage/db.ts";
import { createDeliveryStore } from "./storage/delivery-store.ts";
import { createEndpointStore } from "./storage/endpoint-store.ts";
import { createEngineStore } from "./storage/engine/engine-store.ts";
import { createKeyStore } from "./storage/key-store.ts";
import { migrate } from "./storage/migrate.ts";
import { migrations } from "./storage/migrations/all.ts";
import { openSqlite } from "./storage/sqlite/sqlite-db.ts";
import { createRetentionStore } from "./storage/retention-store.ts";
import { createScheduleStore } from "./storage/schedule-store.ts";
import { createTaskStore } from "./storage/task-store.ts";
import { createTemplateStore } from "./storage/template-store.ts";
import { createVariableStore } from "./storage/variable-store.ts";
import { createWebhookStore } from "./storage/webhook-store.ts";
import { createWorkflowStore } from "./storage/workflow-store.ts";
import { createTasks } from "./tasks/tasks.ts";
import { createApiKeys } from "./triggers/api-keys.ts";
import { createDeliveries } from "./triggers/deliveries.ts";
import { createPublicCalls } from "./triggers/public-calls.ts";
import { createAdmission } from "./triggers/webhook-admission.ts";
import { createWebhookIntake } from "./triggers/webhook-intake.ts";
import { createWebhooks } from "./triggers/webhooks.ts";
import { createVariables } from "./variables/variables.ts";
import { createVault } from "./variables/vault.ts";
import { starters } from "./workflows/starters/all.ts";
import { createTemplates } from "./workflows/templates.ts";
import { createWorkflows } from "./workflows/workflows.ts";

export interface App {
  http: HttpServer;
  /** Starts to listen; returns the address of the page. */
  listen(): Promise<string>;
  close(): Promise<void>;
}

/** The composition root: the only file that knows every part. Open, build, serve; close runs backwards. */
export async function createApp(config: Config, clock: Clock = systemClock): Promise<App> {
  const logger = createLogger(config.logLevel);
  const db = openSqlite({ folder: config.dataDir });
  await migrate(db, migrations, clock.now());
  const parts = await buildParts({ config, clock, logger, db, keys: loadKeys(config) });
  const http = await buildHttp({ config, clock, logger, db, parts });
  void parts.documents.recover();

  let closing: Promise<void> | undefined;
  async function closeAll(): Promise<void> {
    // A document may take minutes; the next start goes on with it, and its uploader is told so.
    await Promise.all([http.close(), parts.documents.stopIngesting()]);
    await parts.scheduleLoop.close();
    await parts.engine.close();
    await parts.documents.close();
    await Promise.all([parts.apiKeys.close(), parts.retention.close(), parts.expressions.close(), parts.closeModels(), parts.egress.close()]);
    await db.close();
  }

  return {
    http,
    listen: () => http.listen({ host: config.host, port: config.port }),
    close: () => (closing ??= closeAll()),
  };
}

interface Ground {
  config: Config;
  clock: Clock;
  logger: Logger;
  db: Db;
}

type Parts = Awaited<ReturnType<typeof buildParts>>;

async function buildParts({ config, clock, logger, db, keys }: Ground & { keys: Keys }) {
  const report = (error: unknown, what: string): void => logger.error({ err: error }, `failed: ${what}`);
  const maxSteps = config.limits.steps;
  const box = createSecretBox(keys.encryptionKeys as [Buffer, ...Buffer[]]);
  const tokens = createTokens({ secret: keys.jwtSecret, clock });
  const accounts = createAccounts({
    store: createAccountStore(db),
    tokens,
    clock,
    allowRegistration: config.allowRegistration,
  });
  const workflows = createWorkflows({ store: createWorkflowStore(db), clock, maxSteps });
  const templates = createTemplates({ store: createTemplateStore(db), workflows, starters, clock, maxSteps });
  const variableStore = createVariableStore(db);
  const variables = createVariables({ store: variableStore, box, clock });

  const egress = createEgress({ listenHost: config.host, ...config.egress });
  const { models, close: closeModels } = openLanguageModels({ ...config.llm, listenHost: config.host, ...config.egress });
  const { documents, files: documentFiles } = await buildDocuments({
    config,
    db,
    clock,
    egress,
    onError: report,
    ...(models.list().length > 0 && { answerModel: textModel(models) }),
  });
  const expressions = createExpressions();
  const endpoints = createEndpointStore(db);
  const blobs = createFolderBlobs(join(config.dataDir, "blobs"));
  const engine = await createEngine({
    store: createEngineStore(db),
    blobs,
    clock,
    runners: createStepRunners({
      egress,
      expressions,
      dataDir: config.dataDir,
      smtp: config.smtp,
      more: new Map([
        ["document_query", createDocumentQueryRunner(documents)],
        ["llm", createLlmRunner({ models })],
        ["mcp", createMcpRunner({ egress })],
      ]),
    }),
    vault: createVault({ store: variableStore, box }),
    loadWorkflow: (id, version) => endpoints.atVersion(id, version),
    currentWorkflow: async (ownerId, id) => (await endpoints.runnable(id, ownerId)) ?? missingWorkflow(),
    concurrency: config.workerConcurrency,
    onError: report,
  });
  const retention = createRetention({
    store: createRetentionStore(db),
    blobs,
    clock,
    retentionDays: config.retentionDays,
    compact: db.compact,
    onError: (error) => report(error, "pruning old tasks"),
  });
  const tasks = createTasks({
    store: createTaskStore(db),
    engine,
    async runnable(userId, id, version) {
      const current = await workflows.get(userId, id);
      if (version !== undefined) await workflows.version(userId, id, version);
      return endpoints.atVersion(id, version ?? current.version);
    },
  });

  const scheduleStore = createScheduleStore(db);
  const scheduleLoop = createScheduleLoop({
    store: scheduleStore,
    engine,
    runnable: (workflowId, ownerId) => endpoints.runnable(workflowId, ownerId),
    clock,
    onError: report,
  });
  scheduleLoop.look();
  const schedules = createSchedules({
    store: scheduleStore,
    clock,
    requireWorkflow: workflows.get,
    changed: () => scheduleLoop.look(),
  });

  const apiKeys = createApiKeys({
    store: createKeyStore(db),
    clock,
    onFlushError: (error) => report(error, "noting the last use of keys"),
  });
  const publicCalls = createPublicCalls({
    store: endpoints,
    keys: apiKeys,
    engine,
    syncTimeoutMs: config.syncTimeoutMs,
  });
  const webhookStore = createWebhookStore(db);
  const webhooks = createWebhooks({ store: webhookStore, box, clock, requireWorkflow: workflows.get });
  const deliveries = createDeliveries({
    store: createDeliveryStore(db),
    webhooks: webhookStore,
    workflows: endpoints,
    engine,
    clock,
  });
  const intake = createWebhookIntake({
    admission: createAdmission({ store: webhookStore, box }),
    workflows: endpoints,
    engine,
    deliveries,
    parseJson: parseJsonBody,
    clock,
    onNoteError: (error) => report(error, "noting a delivery"),
  });
  return {
    tokens,
    accounts,
    workflows,
    templates,
    variables,
    egress,
    documents,
    documentFiles,
    models,
    closeModels,
    expressions,
    engine,
    retention,
    tasks,
    schedules,
    scheduleLoop,
    apiKeys,
    publicCalls,
    webhooks,
    deliveries,
    intake,
  };
}

async function buildHttp({
  config,
  clock,
  logger,
  db,
  parts,
}: Ground & { parts: Parts }): Promise<HttpServer> {
  const { limits, syncTimeoutMs } = config;
  const metrics = createMetrics();
  const http = createHttpServer({
    logger,
    metrics,
    trustProxy: config.trustProxy,
    corsOrigins: config.corsOrigins,
    jsonBodyBytes: limits.jsonBodyBytes,
  });
  requireLogin(http, (token) => parts.tokens.verify(token));
  await openApi(http, packageFile.version);
  systemRoutes(http, { metrics, probe: async () => void (await db.query("select 1 as one")) });
  accountRoutes(http, {
    accounts: parts.accounts,
    loginLimiter: createRateLimiter(limits.loginPerMinute, clock),
  });
  workflowRoutes(http, parts.workflows);
  runRoutes(http, { tasks: parts.tasks, engine: parts.engine, syncTimeoutMs });
  templateRoutes(http, parts.templates);
  stepTypeRoutes(http);
  modelRoutes(http, parts.models);
  taskRoutes(http, parts.tasks);
  taskEventRoutes(http, parts);
  scheduleRoutes(http, parts.schedules);
  keyRoutes(http, parts.apiKeys);
  variableRoutes(http, parts.variables);
  publicRoutes(http, parts.publicCalls);
  webhookRoutes(http, {
    webhooks: parts.webhooks,
    deliveries: parts.deliveries,
    publicUrl: config.publicUrl,
  });
  webhookIntakeRoutes(http, {
    intake: parts.intake,
    limiter: createRateLimiter(limits.webhookPerMinute, clock),
    bodyLimitBytes: limits.webhookBodyBytes,
  });
  documentRoutes(http, parts.documents);
  documentUploadRoutes(http, {
    documents: parts.documents,
    files: parts.documentFiles,
    limitBytes: limits.uploadBytes,
  });
  return http;
}

function missingWorkflow(): never {
  throw notFound("workflow");
}
