import { setTimeout as sleep } from "node:timers/promises";
import type { Logins } from "../accounts/logins.ts";
import type { AgentsPart } from "../agents/part.ts";
import type { AppsPart } from "../apps/part.ts";
import type { ConnectionsPart } from "../connections/part.ts";
import type { StoredTriggerKind } from "../../contract/triggers.ts";
import type { Engine } from "../engine/engine-api.ts";
import { notFound } from "../lib/errors.ts";
import type { Part, Platform } from "../platform/part.ts";
import type { RunFiles } from "../run-files/run-files.ts";
import { deleteOwned } from "../storage/delete-owned.ts";
import type { WorkflowsPart } from "../workflows/part.ts";
import { publicChatRoutes } from "./chat/chat.routes.ts";
import { createChats } from "./chat/chats.ts";
import { createExchangeStore } from "./chat/exchange.sql.ts";
import { createEmailSource } from "./email/email-source.ts";
import { createRssSource } from "./rss/rss-source.ts";
import type { TriggerSource } from "./source.ts";
import { createTriggerClaims } from "./trigger-claims.sql.ts";
import { createTriggerLoop } from "./trigger-loop.ts";
import { triggerDeliveryRoutes } from "./trigger-delivery.routes.ts";
import { triggerRoutes } from "./trigger.routes.ts";
import { createTriggerStore } from "./trigger.sql.ts";
import { createTriggers } from "./triggers.ts";

const CHANNEL = "trigger";
/** A page reads its chat and the conversation, and again while it waits for an answer. */
const READS_PER_MESSAGE = 10;
const DAY_MS = 24 * 3600 * 1000;
/** How long the deletion of an account waits for the services that its triggers subscribed at. */
const UNSUBSCRIBE_MS = 10_000;

export interface TriggersPart extends Part {
  /** Web sites that may embed the chat; none for an unknown one. */
  chatOrigins(slug: string): Promise<string[]>;
  /** Deletes up to `limit` messages of chats that have expired; returns how many. */
  dropOldMessages(now: number, limit: number): Promise<number>;
}

export interface TriggersPartDeps {
  workflows: WorkflowsPart;
  engine: Engine;
  agents: AgentsPart;
  logins: Pick<Logins, "verify" | "watch">;
  runFiles: Pick<RunFiles, "create">;
  apps: Pick<AppsPart, "triggerSource" | "checkTrigger" | "receiveDeliveries">;
  connections: Pick<ConnectionsPart, "use" | "requireKind">;
}

/** Triggers that are separate records: feeds and mailboxes that are checked for new items, and chats. */
export function createTriggersPart(
  { box, clock, config, db, egress, limiter, limits, report, tracing }: Platform,
  { workflows: workflowsPart, engine, agents, logins, runFiles, apps, connections }: TriggersPartDeps,
): TriggersPart {
  const { workflows, runnable } = workflowsPart;
  const { liveAnswers, registered } = agents;
  const store = createTriggerStore(db);
  const sources = {
    rss: createRssSource(egress),
    email: createEmailSource({ egress, box, runFiles, useConnection: connections.use }),
    app: apps.triggerSource,
  };
  const sourceOf = (kind: StoredTriggerKind) =>
    kind === "chat" ? undefined : (sources[kind] as unknown as TriggerSource<StoredTriggerKind>);
  const claims = createTriggerClaims(db);
  const receive = apps.receiveDeliveries({
    findTrigger: store.findActiveApp,
    async store(id, item) {
      await claims.deliver(id, item, clock.now());
      db.notify(CHANNEL, "");
    },
  });
  const loop = createTriggerLoop({
    claims,
    sourceOf,
    engine,
    async currentWorkflow(workflowId, ownerId) {
      limits.assertNotSuspended(ownerId);
      return runnable.findCurrent(workflowId, ownerId);
    },
    clock,
    tracing,
    checksPerOwner: limits.max("trigger_checks"),
    onError: report,
  });
  const triggers = createTriggers({
    store,
    box,
    clock,
    limits,
    minIntervalSeconds: config.limits.triggerIntervalSeconds,
    sourceOf,
    async checkWorkflow(userId, workflowId) {
      await workflows.get(userId, workflowId);
    },
    async checkAgent(userId, agentId) {
      if ((await registered([agentId], userId)).length === 0) throw notFound("agent", agentId);
    },
    checkMailbox: (userId, id) => connections.requireKind(userId, id, "imap"),
    checkApp: apps.checkTrigger,
    onChanged: () => db.notify(CHANNEL, ""),
  });
  limits.reports("triggers", store.count);
  const exchanges = createExchangeStore(db);
  limits.reports("chat_messages", exchanges.countOwned);
  const chats = createChats({
    store,
    exchanges,
    engine,
    currentWorkflow: runnable.findCurrent,
    liveAnswers,
    limits,
    clock,
  });
  return {
    chatOrigins: async (slug) => (await store.findBySlug(slug))?.settings.origins ?? [],
    async dropOldMessages(now, limit) {
      const days = config.chatRetentionDays;
      return days === 0 ? 0 : exchanges.prune(now - days * DAY_MS, limit);
    },
    routes(http) {
      triggerRoutes(http, triggers);
      triggerDeliveryRoutes(http, {
        receive,
        limiter: limiter("app_events", config.limits.webhookPerMinute),
        bodyLimitBytes: config.limits.webhookBodyBytes,
        publicUrl: config.publicUrl,
      });
      publicChatRoutes(http, {
        chats,
        logins,
        limiter: limiter("chat", config.limits.chatPerMinute),
        readLimiter: limiter("chat_reads", config.limits.chatPerMinute * READS_PER_MESSAGE),
        openStream: limits.openStream,
      });
    },
    start() {
      void db
        .listen(CHANNEL, loop.poll)
        .catch((error: unknown) => report(error, "listening for trigger changes"));
      loop.poll();
    },
    async stopOwner(ownerId, batches) {
      // Each is tried once: a service that is down must not keep the account from being deleted.
      await store.hideSubscribed(ownerId, clock.now());
      db.notify(CHANNEL, "");
      const until = clock.monotonic() + UNSUBSCRIBE_MS;
      while (clock.monotonic() < until && (await store.countSubscribed(ownerId)) > 0)
        await batches.run(() => sleep(100));
      await batches.deleteAll((limit) => deleteOwned(db, "chat_exchange", ownerId, limit));
      await batches.deleteAll((limit) => deleteOwned(db, "triggers", ownerId, limit));
    },
    stop: loop.close,
  };
}
