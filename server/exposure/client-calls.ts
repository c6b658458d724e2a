import type { ClientCall, ClientCallQuery, ExposureKind, Protocol } from "../../contract/exposures.ts";
import { type Clock, toIso } from "../lib/clock.ts";
import { createId } from "../lib/ids.ts";
import type { ResultPage } from "../lib/result-page.ts";
import type { ClientCallRow, ClientCallStore } from "./client-call.sql.ts";

/** One call by a client. Arguments and results are in the task, never here. */
export interface CallRecord {
  ownerId: string;
  protocol: Protocol;
  /** The method of the protocol: `tools/call`, `SendMessage`, `chat.completions`. */
  method: string;
  /** The exposed record, when the call named one. */
  record?: { kind: ExposureKind; recordId: string; name: string } | undefined;
  /** The id and the name of the API key or of the connected app. */
  callerId?: string | undefined;
  callerName: string;
  taskId?: string | undefined;
  /** Absent for a call that succeeded. */
  errorCode?: string | undefined;
  durationMs: number;
}

export interface ClientCallsDeps {
  store: ClientCallStore;
  clock: Clock;
  /** Called when calls could not be written; the next flush retries them. */
  onFlushError(error: unknown): void;
}

export type ClientCalls = ReturnType<typeof createClientCalls>;
export type RecordCall = ClientCalls["recordCall"];

const FLUSH_AFTER_MS = 1_000;
const BATCH_CALLS = 500;
/** While the database fails, newer calls are dropped: the list informs people and must not fill the memory. */
const MAX_WAITING = 10_000;
/** A client chooses its name and the name of a method. */
const MAX_TEXT = 200;

/** The calls that came in. They are written in batches after the responses, so that no call waits for its record. */
export function createClientCalls({ store, clock, onFlushError }: ClientCallsDeps) {
  const waiting: ClientCallRow[] = [];
  let timer: NodeJS.Timeout | undefined;
  let flushing: Promise<void> | undefined;

  function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    flushing ??= writeAll().finally(() => {
      flushing = undefined;
    });
    return flushing;
  }

  async function writeAll(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, BATCH_CALLS);
      try {
        await store.insertAll(batch);
      } catch (error) {
        onFlushError(error);
        return;
      }
      waiting.splice(0, batch.length);
    }
  }

  return {
    recordCall(call: CallRecord): void {
      if (waiting.length >= MAX_WAITING) return;
      const now = clock.now();
      waiting.push({
        id: createId("call", now),
        ownerId: call.ownerId,
        protocol: call.protocol,
        method: storable(call.method),
        kind: call.record?.kind ?? null,
        recordId: call.record?.recordId ?? null,
        recordName: call.record?.name ?? null,
        callerId: call.callerId ?? null,
        callerName: storable(call.callerName),
        taskId: call.taskId ?? null,
        errorCode: call.errorCode ?? null,
        durationMs: Math.max(0, Math.round(call.durationMs)),
        at: now,
      });
      timer ??= setTimeout(() => void flush(), FLUSH_AFTER_MS).unref();
    },

    /** Newest first, including the calls of this process that are not written yet. */
    async list(ownerId: string, query: ClientCallQuery): Promise<ResultPage<ClientCall>> {
      await flush();
      const { items, nextCursor } = await store.list(ownerId, query);
      return { items: items.map(toClientCall), nextCursor };
    },

    close: flush,
  };
}

/** PostgreSQL stores neither NUL nor a lone surrogate. */
function storable(text: string): string {
  return text.slice(0, MAX_TEXT).replaceAll(/[\0\p{Cs}]/gu, "");
}

function toClientCall(row: ClientCallRow): ClientCall {
  const { ownerId: _owner, callerId: _caller, recordName, at, ...call } = row;
  return { ...call, name: recordName, status: call.errorCode === null ? "ok" : "failed", at: toIso(at) };
}
