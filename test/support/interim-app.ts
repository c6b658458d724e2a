// INTERIM: removed when server/app.ts wires the engine and the triggers.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { createAccounts } from "../../server/accounts/accounts.ts";
import { readConfig } from "../../server/config.ts";
import type { Engine, StartTask, TaskWithSteps } from "../../server/engine/engine-api.ts";
import type { TaskStatus } from "../../server/engine/task.ts";
import { accountRoutes } from "../../server/http/account-routes.ts";
import { requireLogin } from "../../server/http/auth.ts";
import { parseJsonBody } from "../../server/http/json-body.ts";
import { keyRoutes } from "../../server/http/key-routes.ts";
import { openApi } from "../../server/http/openapi.ts";
import { publicRoutes } from "../../server/http/public-routes.ts";
import { createHttpServer } from "../../server/http/server.ts";
import { variableRoutes } from "../../server/http/variable-routes.ts";
import { webhookIntakeRoutes } from "../../server/http/webhook-intake-routes.ts";
import { webhookRoutes } from "../../server/http/webhook-routes.ts";
import { workflowRoutes } from "../../server/http/workflow-routes.ts";
import { loadKeys } from "../../server/key-files.ts";
import { type Clock, systemClock } from "../../server/lib/clock.ts";
import { AppError } from "../../server/lib/errors.ts";
import { createId } from "../../server/lib/ids.ts";
import { createRateLimiter } from "../../server/lib/rate-limiter.ts";
import { createLogger } from "../../server/log.ts";
import { createMetrics } from "../../server/metrics.ts";
import { createSecretBox } from "../../server/security/secret-box.ts";
import { createTokens } from "../../server/security/tokens.ts";
import { createAccountStore } from "../../server/storage/account-store.ts";
import { createDeliveryStore } from "../../server/storage/delivery-store.ts";
import { createEndpointStore } from "../../server/storage/endpoint-store.ts";
import { createKeyStore } from "../../server/storage/key-store.ts";
import { migrate } from "../../server/storage/migrate.ts";
import { migrations } from "../../server/storage/migrations/all.ts";
import { openSqlite } from "../../server/storage/sqlite/sqlite-db.ts";
import { createVariableStore } from "../../server/storage/variable-store.ts";
import { createWebhookStore } from "../../server/storage/webhook-store.ts";
import { createWorkflowStore } from "../../server/storage/workflow-store.ts";
import { createApiKeys } from "../../server/triggers/api-keys.ts";
import { createDeliveries } from "../../server/triggers/deliveries.ts";
import { createPublicCalls } from "../../server/triggers/public-calls.ts";
import { createAdmission } from "../../server/triggers/webhook-admission.ts";
import { createWebhookIntake } from "../../server/triggers/webhook-intake.ts";
import { createWebhooks } from "../../server/triggers/webhooks.ts";
import { createVariables } from "../../server/variables/variables.ts";
import { createWorkflows } from "../../server/workflows/workflows.ts";
import { clientOf } from "./client.ts";

export { registerUser, type RegisteredUser } from "./test-app.ts";
export type TestApp = Awaited<ReturnType<typeof createTestApp>>;

export async function createTestApp(settings: Record<string, string> = {}, { clock = systemClock, dataDir: kept }: { clock?: Clock; dataDir?: string } = {}) {
  const dataDir = kept ?? (await mkdtemp(join(tmpdir(), "baton-interim-")));
  const config = readConfig({ DATA_DIR: dataDir, PORT: "0", LOG_LEVEL: "silent", RATE_LIMIT_LOGIN_PER_MINUTE: "0", ...settings });
  const logger = createLogger(config.logLevel);
  const db = openSqlite({ folder: dataDir });
  await migrate(db, migrations, clock.now());
  const keys = loadKeys(config);
  const metrics = createMetrics();
  const tokens = createTokens({ secret: keys.jwtSecret, clock });
  const accounts = createAccounts({ store: createAccountStore(db), tokens, clock, allowRegistration: true });
  const workflows = createWorkflows({ store: createWorkflowStore(db), clock, maxSteps: config.limits.steps });
  const engine = fakeEngine(clock);
  const box = createSecretBox(keys.encryptionKeys as [Buffer, ...Buffer[]]);
  const endpoints = createEndpointStore(db);
  const apiKeys = createApiKeys({ store: createKeyStore(db), clock });
  const calls = createPublicCalls({ store: endpoints, keys: apiKeys, engine, syncTimeoutMs: config.syncTimeoutMs });
  const webhookStore = createWebhookStore(db);
  const webhooks = createWebhooks({ store: webhookStore, box, clock, requireWorkflow: workflows.get });
  const deliveries = createDeliveries({ store: createDeliveryStore(db), webhooks: webhookStore, workflows: endpoints, engine, clock });
  const intake = createWebhookIntake({ admission: createAdmission({ store: webhookStore, box }), workflows: endpoints, engine, deliveries, parseJson: parseJsonBody, clock, onNoteError: (error) => { throw error; } });
  const variables = createVariables({ store: createVariableStore(db), box, clock });
  const http = createHttpServer({ logger, metrics, trustProxy: config.trustProxy, corsOrigins: [], jsonBodyBytes: config.limits.jsonBodyBytes });
  requireLogin(http, (token) => tokens.verify(token));
  await openApi(http, "0");
  accountRoutes(http, { accounts, loginLimiter: createRateLimiter(0, clock) });
  workflowRoutes(http, workflows);
  keyRoutes(http, apiKeys);
  publicRoutes(http, calls);
  webhookRoutes(http, { webhooks, deliveries, publicUrl: config.publicUrl });
  webhookIntakeRoutes(http, { intake, limiter: createRateLimiter(config.limits.webhookPerMinute, clock), bodyLimitBytes: config.limits.webhookBodyBytes });
  variableRoutes(http, variables);
  http.get("/api/tasks/:id", async (request, reply) => {
    const found = await engine.read((request.params as { id: string }).id);
    return reply.serializer(JSON.stringify).send({ ok: true, task: { ...found?.task, stepResults: found?.stepResults } });
  });
  http.get("/api/tasks", async (_request, reply) => reply.serializer(JSON.stringify).send({ ok: true, tasks: engine.all() }));
  await http.ready();
  const stop = async () => {
    await http.close();
    await apiKeys.close();
    await db.close();
  };
  return { http, dataDir, anonymous: clientOf(http), stop, listen: () => http.listen({ port: 0, host: "127.0.0.1" }), async close() {
    await stop();
    if (kept === undefined) await rm(dataDir, { recursive: true, force: true });
  } };
}
export async function useTestApp(settings?: Record<string, string>, options?: { clock?: Clock; dataDir?: string }) {
  const app = await createTestApp(settings, options);
  onTestFinished(() => app.close());
  return app;
}

function fakeEngine(clock: Clock): Engine & { all(): unknown[] } {
  const tasks = new Map<string, TaskWithSteps>();
  const known = new Map<string, { hash: string; taskId: string }>();
  return {
    all: () => [...tasks.values()].map(({ task }) => task),
    async start(request: StartTask) {
      const { idempotency, workflow } = request;
      if (idempotency) {
        const seen = known.get(`${idempotency.scope} ${idempotency.key}`);
        if (seen && seen.hash !== idempotency.bodyHash) throw new AppError("idempotency_conflict", "Other body.");
        if (seen) return { taskId: seen.taskId, status: "completed", existing: true };
      }
      const id = createId("task");
      if (idempotency) known.set(`${idempotency.scope} ${idempotency.key}`, { hash: idempotency.bodyHash, taskId: id });
      const now = clock.now();
      const last = workflow.graph.steps.at(-1);
      const kind = workflow.graph.steps.find((step) => step.type !== "transform")?.type;
      const status: TaskStatus = kind === "http" ? "failed" : kind === "approval" ? "waiting_approval" : kind === "delay" ? "waiting" : "completed";
      const output = JSON.stringify(last?.["template"] ?? null) === '"{{input}}"' ? request.input : "start";
      tasks.set(id, {
        task: { id, ownerId: workflow.ownerId, workflowId: workflow.id, workflowVersion: workflow.version, status, trigger: request.trigger, input: request.input,
          result: status === "completed" ? { output, outputs: { [last?.stepId ?? ""]: output } } : null,
          error: status === "failed" ? { code: "connection_failed", message: "nobody there", stepId: last?.stepId ?? "" } : null, parentTaskId: null, createdAt: now, startedAt: now, completedAt: now },
        stepResults: workflow.graph.steps.map((step) => ({ stepId: step.stepId, type: step.type, status: status === "completed" || step.type === "transform" ? "completed" : (status as "failed"), input: null, output, error: null, attempts: 1, startedAt: now, completedAt: now, durationMs: 0 })),
      });
      return { taskId: id, status, existing: false };
    },
    settled: async (taskId) => tasks.get(taskId) as TaskWithSteps,
    read: async (taskId) => tasks.get(taskId),
  };
}
