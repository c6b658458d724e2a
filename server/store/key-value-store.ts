import type { PutStoreValue, StoreQuery, StoreValue } from "../../contract/store.ts";
import { asNumber, compare } from "../../contract/compare.ts";
import type { JsonValue } from "../../contract/placeholders/json-value.ts";
import { type Clock, toIso } from "../lib/clock.ts";
import { AppError, notFound } from "../lib/errors.ts";
import { createId } from "../lib/ids.ts";
import { createKeyedQueue } from "../lib/keyed-queue.ts";
import type { ResultPage } from "../lib/result-page.ts";
import type { Limits } from "../limits/limits.ts";
import type { StoredValue, StorePlace, StoreValues } from "./store.sql.ts";

export interface KeyValueStoreDeps {
  values: StoreValues;
  clock: Clock;
  limits: Pick<Limits, "exceeds" | "refuse" | "max">;
  /** Throws when the scope is not a workflow or agent of this owner. */
  requireScope(ownerId: string, scope: string): Promise<void>;
}

/** The step that writes: it writes once, however often it runs. */
export interface StepWrite {
  idempotencyKey: string;
  taskId: string;
}

type Result = Record<string, JsonValue>;
/** What a write decides from the present value; without `next` nothing is written. */
interface Decision {
  result: Result;
  /** undefined deletes the value. */
  next?: { value: JsonValue | undefined; expiresAt: number | null };
}

/** Values over this size are left out of lists. */
const LISTED_BYTES = 10_000;
/** Another process wrote first this often: each time one write succeeded, so this is never reached in practice. */
const MAX_TRIES = 1000;

export type KeyValueStore = ReturnType<typeof createKeyValueStore>;

/** Keyed values of an owner. Writes compare the version they read, so no update is lost between processes. */
export function createKeyValueStore({ values, clock, limits, requireScope }: KeyValueStoreDeps) {
  const turns = createKeyedQueue();

  const expiryOf = (expiresInMs: number | undefined): number | null =>
    expiresInMs === undefined ? null : clock.now() + expiresInMs;

  async function readLive(place: StorePlace): Promise<StoredValue | undefined> {
    const row = await values.read(place);
    return row === undefined || isExpired(row, clock.now()) ? undefined : row;
  }

  /** Within a process writes to one key take turns; a version that another process changed starts the write again. */
  function change(
    place: StorePlace,
    step: StepWrite | undefined,
    decide: (current: JsonValue | undefined, row: StoredValue | undefined) => Decision,
  ): Promise<Result> {
    return turns.run(JSON.stringify(place), async () => {
      for (let tries = 0; tries < MAX_TRIES; tries++) {
        const earlier = step === undefined ? undefined : await values.receipt(step.idempotencyKey);
        if (earlier !== undefined) return JSON.parse(earlier) as Result;
        const row = await values.read(place);
        const live = row === undefined || isExpired(row, clock.now()) ? undefined : row;
        const { result, next } = decide(live === undefined ? undefined : parsed(live), live);
        if (next === undefined || (next.value === undefined && row === undefined)) return result;
        if (await write(place, step, row, next, result)) return result;
      }
      throw new AppError(
        "unavailable",
        `The value "${place.key}" is written by too many others. Try again.`,
        {
          retryable: true,
        },
      );
    });
  }

  async function write(
    place: StorePlace,
    step: StepWrite | undefined,
    row: StoredValue | undefined,
    { value, expiresAt }: NonNullable<Decision["next"]>,
    result: Result,
  ): Promise<boolean> {
    const now = clock.now();
    const json = value === undefined ? undefined : JSON.stringify(value);
    if (json !== undefined) await checkLimits(place, json, row);
    try {
      return await values.write({
        place,
        expected: row?.version,
        next:
          json === undefined
            ? undefined
            : {
                value: json,
                bytes: Buffer.byteLength(json),
                expiresAt,
                version: createId("val", now),
                updatedAt: now,
              },
        receipt:
          step === undefined
            ? undefined
            : { id: step.idempotencyKey, taskId: step.taskId, result: JSON.stringify(result) },
        now,
      });
    } catch (error) {
      // The same step runs twice, as after a lost lease: the other one has written, and its receipt is read next.
      if (step !== undefined && (await values.receipt(step.idempotencyKey)) !== undefined) return false;
      throw error;
    }
  }

  async function checkLimits(
    { ownerId }: StorePlace,
    json: string,
    row: StoredValue | undefined,
  ): Promise<void> {
    const bytes = Buffer.byteLength(json);
    if (limits.exceeds("store_value_bytes", bytes))
      throw limits.refuse(
        "store_value_bytes",
        `The value has ${bytes} bytes; at most ${limits.max("store_value_bytes")} are allowed. Store less, or use a file step.`,
      );
    if (row !== undefined && bytes <= row.bytes) return;
    const used = await values.usage(ownerId);
    if (row === undefined && limits.exceeds("store_values", used.count + 1, ownerId))
      throw limits.refuse(
        "store_values",
        `You have ${used.count} stored values, the most allowed. Delete some, or let them expire.`,
        { ownerId },
      );
    if (limits.exceeds("store_bytes", used.bytes - (row?.bytes ?? 0) + bytes, ownerId))
      throw limits.refuse(
        "store_bytes",
        `Your stored values have ${used.bytes} bytes; at most ${limits.max("store_bytes", ownerId)} are allowed. Delete some, or let them expire.`,
        { ownerId },
      );
  }

  return {
    async get(place: StorePlace): Promise<{ found: boolean; value: JsonValue }> {
      const row = await readLive(place);
      return row === undefined ? { found: false, value: null } : { found: true, value: parsed(row) };
    },

    set: (place: StorePlace, value: JsonValue, expiresInMs?: number, step?: StepWrite): Promise<Result> =>
      change(place, step, () => {
        const expiresAt = expiryOf(expiresInMs);
        return { result: { key: place.key, expiresAt: isoOrNull(expiresAt) }, next: { value, expiresAt } };
      }),

    remove: (place: StorePlace, step?: StepWrite): Promise<Result> =>
      change(place, step, (current) => ({
        result: { deleted: current !== undefined },
        next: { value: undefined, expiresAt: null },
      })),

    /** A new value begins at 0. Only a new one gets the expiry: a count per hour ends with its hour. */
    increment: (
      place: StorePlace,
      amount: number,
      expiresInMs: number | undefined,
      step?: StepWrite,
    ): Promise<Result> =>
      change(place, step, (current = 0, row) => {
        const before = asNumber(current);
        const value = (before ?? Number.NaN) + amount;
        if (!Number.isFinite(value))
          throw new AppError(
            "invalid_field",
            `The value "${place.key}" is not a number and cannot be incremented.`,
          );
        const expiresAt = row === undefined ? expiryOf(expiresInMs) : row.expiresAt;
        return { result: { value }, next: { value, expiresAt } };
      }),

    /** Sets the value if the present one equals `expected`; without `expected`, if there is none. */
    compareAndSet: (
      place: StorePlace,
      expected: JsonValue | undefined,
      value: JsonValue,
      expiresInMs: number | undefined,
      step?: StepWrite,
    ): Promise<Result> =>
      change(place, step, (current) => {
        const isSame =
          expected === undefined || expected === null
            ? current === undefined
            : current !== undefined && compare("eq", current, expected);
        if (!isSame) return { result: { swapped: false, value: current ?? null } };
        return { result: { swapped: true, value }, next: { value, expiresAt: expiryOf(expiresInMs) } };
      }),

    /** By key; large values are left out. */
    async listScope(
      ownerId: string,
      scope: string,
      { prefix, after, limit }: { prefix: string; after: string; limit: number },
    ): Promise<ResultPage<StoreValue>> {
      const options = { scope, prefix, after: { scope, key: after }, limit };
      const page = await values.list(ownerId, { ...options, maxBytes: LISTED_BYTES, now: clock.now() });
      const items = page.items.map(toView);
      return { items, nextCursor: page.nextCursor === null ? null : (items.at(-1)?.key ?? null) };
    },

    async list(
      ownerId: string,
      { scope, prefix = "", limit, cursor = "" }: StoreQuery,
    ): Promise<ResultPage<StoreValue>> {
      const [, afterScope = "", afterKey = ""] = /^(\S*) ([^]*)$/.exec(cursor) ?? [];
      const after = { scope: afterScope, key: afterKey };
      const page = await values.list(ownerId, {
        scope,
        prefix,
        after,
        limit,
        maxBytes: LISTED_BYTES,
        now: clock.now(),
      });
      return { items: page.items.map(toView), nextCursor: page.nextCursor };
    },

    async read(place: StorePlace): Promise<StoreValue> {
      const row = await readLive(place);
      if (row !== undefined) return toView(row);
      await requireScope(place.ownerId, place.scope);
      throw notFound("store_value", place.key);
    },

    async put(place: StorePlace, { value, expiresInMs }: PutStoreValue): Promise<StoreValue> {
      // The values of a deleted workflow can still be changed by their owner.
      if ((await readLive(place)) === undefined) await requireScope(place.ownerId, place.scope);
      await this.set(place, value as JsonValue, expiresInMs);
      return this.read(place);
    },

    async delete(place: StorePlace): Promise<void> {
      if ((await readLive(place)) === undefined) {
        await requireScope(place.ownerId, place.scope);
        throw notFound("store_value", place.key);
      }
      await this.remove(place);
    },
  };
}

function isExpired({ expiresAt }: StoredValue, now: number): boolean {
  return expiresAt !== null && expiresAt <= now;
}

function parsed({ value }: StoredValue): JsonValue {
  return JSON.parse(value ?? "null") as JsonValue;
}

function isoOrNull(at: number | null): string | null {
  return at === null ? null : toIso(at);
}

function toView(row: StoredValue): StoreValue {
  const { scope, key, value, bytes, expiresAt, updatedAt } = row;
  return {
    scope,
    key,
    ...(value === null ? {} : { value: parsed(row) }),
    bytes,
    expiresAt: isoOrNull(expiresAt),
    updatedAt: toIso(updatedAt),
  };
}
