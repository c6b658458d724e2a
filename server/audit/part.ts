import type { EventsPart } from "../events/part.ts";
import type { Outbox } from "../outbox/outbox.ts";
import type { Part, Platform } from "../platform/part.ts";
import { createAuditStore } from "./audit-event.sql.ts";
import { createAuditEvents } from "./audit-events.ts";
import { createAuditLog } from "./audit-log.ts";
import { createAuditMessages } from "./audit-messages.ts";
import { auditRoutes } from "./audit.routes.ts";
import { createRecordStates } from "./record-state.sql.ts";
import { createRecorder, type Recorder } from "./recorder.ts";
import { createWorkspaceSecrets } from "./workspace-secrets.sql.ts";

export interface AuditPart extends Part {
  recorder: Recorder;
  /** Deletes up to `limit` events that are older than the retention; returns how many. */
  dropExpired(now: number, limit: number): Promise<number>;
}

const DAY_MS = 24 * 3600 * 1000;

/** The append-only record of changes and sensitive reads. */
export function createAuditPart(
  { config, clock, db, box }: Platform,
  { auditSubscriptions }: Pick<EventsPart, "auditSubscriptions">,
  outbox: Pick<Outbox, "wake">,
): AuditPart {
  const store = createAuditStore(db);
  const { serviceUrl } = config;
  const log = createAuditLog({
    store,
    messagesOf: createAuditMessages({ subscriptionsOf: auditSubscriptions, serviceUrl }),
    onMessages: outbox.wake,
  });
  return {
    recorder: createRecorder({
      log,
      states: createRecordStates(db),
      secretsOf: createWorkspaceSecrets(db, box),
      clock,
    }),
    async dropExpired(now, limit) {
      if (config.auditRetentionDays === 0) return 0;
      const cutoff = now - config.auditRetentionDays * DAY_MS;
      let removed = 0;
      for (const chain of await store.listExpired(cutoff)) {
        removed += await store.prune(chain, cutoff, limit - removed);
        if (removed >= limit) break;
      }
      return removed;
    },
    routes: (http) => auditRoutes(http, createAuditEvents(store)),
    async eraseOwner(ownerId, batches) {
      await batches.deleteAll((limit) => store.eraseSome(ownerId, limit));
      await store.eraseHead(ownerId);
    },
  };
}
