import type { AuditEvent, AuditFilter, AuditQuery, AuditVerification } from "../../contract/audit.ts";
import { toIso } from "../lib/clock.ts";
import type { ResultPage } from "../lib/result-page.ts";
import type { AuditStore, ChainedEvent } from "./audit-event.sql.ts";
import { csvHeader, toCsvLine } from "./csv.ts";
import { verifyChain } from "./verify.ts";

export type AuditEvents = ReturnType<typeof createAuditEvents>;
export type ExportFormat = "ndjson" | "csv";

const EVENTS_PER_PAGE = 100;
/** Per response. Its cursor continues after the last event in it. */
const PAGE_CHARACTERS = 4_000_000;

/** Reads chains: lists, exports, verification. */
export function createAuditEvents(store: AuditStore) {
  const verifications = new Map<string, Promise<AuditVerification>>();

  return {
    async list(chain: string, { limit, cursor, ...filter }: AuditQuery): Promise<ResultPage<AuditEvent>> {
      const before = cursor === undefined ? undefined : Number(cursor);
      const { items, nextCursor } = await store.list(chain, filter, { limit, before });
      let characters = 0;
      const end = items.findIndex((event) => (characters += sizeOf(event)) > PAGE_CHARACTERS);
      if (end <= 0) return { items: items.map(toAuditEvent), nextCursor };
      const kept = items.slice(0, end);
      return { items: kept.map(toAuditEvent), nextCursor: String(kept.at(-1)!.sequence) };
    },

    /** Lines of text, oldest event first, a page at a time. Events that are recorded meanwhile are not in it. */
    async *lines(chain: string, filter: AuditFilter, format: ExportFormat): AsyncGenerator<string> {
      const last = (await store.head(chain))?.sequence ?? 0;
      if (format === "csv") yield csvHeader();
      for (let after = 0; after < last;) {
        const page = await store.listAfter(chain, filter, { after, limit: EVENTS_PER_PAGE });
        const events = page.filter(({ sequence }) => sequence <= last).map(toAuditEvent);
        if (events.length > 0)
          yield events
            .map((event) => (format === "csv" ? toCsvLine(event) : `${JSON.stringify(event)}\n`))
            .join("");
        if (page.length < EVENTS_PER_PAGE) return;
        after = page.at(-1)!.sequence;
      }
    },

    /** Callers at the same time share one pass over the chain. */
    verify(chain: string): Promise<AuditVerification> {
      const running =
        verifications.get(chain) ?? verifyChain(store, chain).finally(() => verifications.delete(chain));
      verifications.set(chain, running);
      return running;
    },
  };
}

function sizeOf({ before, after }: ChainedEvent): number {
  return 1000 + (before?.length ?? 0) + (after?.length ?? 0);
}

export function toAuditEvent(event: ChainedEvent): AuditEvent {
  const { sequence, at, stage, actionId, action, outcome, status, error } = event;
  return {
    sequence,
    at: toIso(at),
    stage,
    actionId,
    action,
    outcome,
    status,
    error,
    actor: { kind: event.actorKind, id: event.actorId, name: event.actorName, keyId: event.keyId },
    target: { kind: event.targetKind, id: event.targetId, name: event.targetName },
    address: event.address,
    userAgent: event.userAgent,
    requestId: event.requestId,
    before: stateOf(event.before),
    after: stateOf(event.after),
    previousHash: event.previousHash,
    hash: event.hash,
  };
}

/** One damaged row must not hide the others. */
function stateOf(json: string | null): AuditEvent["before"] {
  if (json === null) return null;
  try {
    return JSON.parse(json) as Record<string, unknown>;
  } catch {
    return { damaged: json };
  }
}
