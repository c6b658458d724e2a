import type { BearerAccess } from "../accounts/bearer-access.ts";
import type { CredentialWatch } from "../accounts/credential-watch.ts";
import type { Engine } from "../engine/engine-api.ts";
import type { ExposurePart } from "../exposure/part.ts";
import { notFound } from "../lib/errors.ts";
import type { Outbox } from "../outbox/outbox.ts";
import type { Part, Platform } from "../platform/part.ts";
import { deleteOwned } from "../storage/delete-owned.ts";
import type { Tasks } from "../tasks/tasks.ts";
import type { TeamsPart } from "../teams/part.ts";
import { a2aRoutes } from "./a2a.routes.ts";
import { createA2aAccess } from "./a2a-access.ts";
import { createA2aTaskStore } from "./a2a-task.sql.ts";
import { a2aWebhookRoutes } from "./a2a-webhook.routes.ts";
import { createA2aAgents } from "./agents.ts";
import { createPushConfigStore } from "./push-config.sql.ts";
import { createPushConfigs } from "./push-configs.ts";
import { createPushLoop, PUSH_KIND } from "./push-loop.ts";

/** An A2A client also reads, so it sends more requests than a webhook caller. */
const A2A_TO_WEBHOOK_RATE = 6;
const PUSH_CHANNEL = "a2a_push";

export interface A2aPartDeps {
  teams: TeamsPart;
  engine: Engine;
  tasks: Tasks;
  exposure: ExposurePart;
  outbox: Outbox;
  bearerAccess: BearerAccess;
  credentials: Pick<CredentialWatch, "watch">;
  /** False for a workspace that is being deleted. */
  workspaceExists(id: string): Promise<boolean>;
}

/** Teams and workflows as agents of the A2A protocol, and the webhook for messages of external agents. */
export function createA2aPart(
  { config, clock, db, limiter, limits, box, report }: Platform,
  {
    teams: teamsPart,
    engine,
    tasks,
    exposure,
    outbox,
    bearerAccess,
    credentials,
    workspaceExists,
  }: A2aPartDeps,
): Part {
  const { teams, store, sessions, signals, intake } = teamsPart;
  const { exposures, recordCall } = exposure;
  const { webhookPerMinute, webhookBodyBytes } = config.limits;
  const access = createA2aAccess({
    intake,
    bearerAccess,
    watch: credentials.watch,
    findTeam: store.find,
    exposures,
    async assertOpen(ownerId) {
      limits.assertNotSuspended(ownerId);
      if (!(await workspaceExists(ownerId))) throw notFound("team");
    },
  });
  const pushStore = createPushConfigStore(db);
  const push = createPushConfigs({
    store: pushStore,
    box,
    clock,
    isActive: async ({ agentId, caller }) => (await access.resume(agentId, caller)) !== undefined,
    wake: () => db.notify(PUSH_CHANNEL, ""),
  });
  outbox.handle(PUSH_KIND, { find: push.receiver, disable: push.disable });
  const agents = createA2aAgents({
    sessions,
    signals,
    store: createA2aTaskStore(db),
    engine,
    tasks,
    clock,
    recordCall,
    push,
    discovery: ({ ownerId, id }) => teams.discovery(ownerId, id),
    waitMs: config.syncTimeoutMs,
  });
  const pushLoop = createPushLoop({
    store: pushStore,
    outbox,
    clock,
    async readTask(sdk, { agentId, caller, taskId }) {
      const resumed = await access.resume(agentId, caller);
      if (resumed === undefined) return undefined;
      try {
        return await agents.tasksOf(resumed, sdk).read(taskId);
      } catch (error) {
        if (error instanceof sdk.errors.TaskNotFoundError) return undefined;
        throw error;
      }
    },
    onError: report,
  });
  return {
    start() {
      void db
        .listen(PUSH_CHANNEL, pushLoop.poll)
        .catch((error: unknown) => report(error, "listening for webhooks of tasks"));
      pushLoop.poll();
    },
    stop: pushLoop.close,
    stopOwner: (ownerId, batches) =>
      batches.deleteAll((limit) => deleteOwned(db, "a2a_push_config", ownerId, limit)),
    async eraseOwner(ownerId, batches) {
      for (const table of ["a2a_task", "a2a_message"])
        await batches.deleteAll((limit) => deleteOwned(db, table, ownerId, limit));
    },
    routes(http) {
      a2aWebhookRoutes(http, {
        intake,
        limiter: limiter("a2a webhook", webhookPerMinute),
        bodyLimitBytes: webhookBodyBytes,
      });
      a2aRoutes(http, {
        access,
        agents,
        limiter: limiter("a2a", webhookPerMinute * A2A_TO_WEBHOOK_RATE),
        bodyLimitBytes: webhookBodyBytes,
        openStream: limits.openStream,
        publicUrl: config.publicUrl,
      });
    },
  };
}
