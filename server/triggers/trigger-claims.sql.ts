import type { JsonValue } from "../../contract/placeholders/json-value.ts";
import { createId } from "../lib/ids.ts";
import type { Db, Row, Statement } from "../storage/db.ts";
import { HOLDS_SUBSCRIPTION_SQL } from "./subscription.ts";
import { type CheckError, toTrigger, type TriggerRecord } from "./trigger.sql.ts";

/** A due trigger. Until its claim expires, no other process checks it. */
export interface ClaimedTrigger extends TriggerRecord {
  /** Unique for each claim: every write of a check carries it. */
  claim: string;
}

/** An item that a check found. Items of one source never share a key. */
export interface FoundItem {
  key: string;
  title: string;
  input: Record<string, JsonValue>;
}

/** An item whose run has not started. */
export interface PendingItem {
  id: string;
  key: string;
  input: JsonValue;
  /** Its run has started, but the process stopped before it recorded that. */
  taskId: string | null;
}

export type TriggerClaims = ReturnType<typeof createTriggerClaims>;

/** Longer than any check: a process that crashed or hangs keeps its claims this long. */
export const CLAIM_MS = 180_000;
/** Per trigger. A source that repeats an item after this many others starts it again. */
const KEPT_ITEMS = 2000;
const MAX_TITLE_LENGTH = 300;

const IS_DUE = "next_check_at <= $now and (claimed_until is null or claimed_until <= $now)";
const HOLDS_CLAIM = "id = $id and claim = $claim";

export function createTriggerClaims(db: Db) {
  return {
    /**
     * Due triggers, the longest due first; rows that another process claims are skipped. An owner has at most `perOwner`
     * checks at once in all processes, so that the slow sources of one delay nobody else.
     */
    async claim(
      now: number,
      { limit, perOwner }: { limit: number; perOwner: number },
    ): Promise<ClaimedTrigger[]> {
      const [due] = await db.query(`select 1 as due from triggers where ${IS_DUE} limit 1`, { now });
      // A claim is a write in every process, even when nothing is due.
      if (due === undefined) return [];
      const [claimed = []] = await db.batch(
        [
          {
            sql: `with due as materialized (
                    select id from triggers where ${IS_DUE} and id in (
                      select id from (
                        select id, next_check_at, row_number() over (partition by owner_id order by next_check_at, id)
                          + (select count(*) from triggers as held where held.owner_id = triggers.owner_id and held.claimed_until > $now) as turn
                        from triggers where ${IS_DUE}
                      ) as ranked where cast($perOwner as bigint) = 0 or turn <= cast($perOwner as bigint)
                    ) order by next_check_at limit $limit /*skip-locked*/)
                  update triggers set claim = $claim || id, claimed_until = $until where id in (select id from due) returning *`,
            params: { now, limit, perOwner, claim: createId("claim", now), until: now + CLAIM_MS },
          },
        ],
        { alone: true },
      );
      return claimed.map(toClaimed);
    },

    /** Keys of items that the trigger has found before. */
    async knownKeys(triggerId: string, keys: readonly string[]): Promise<ReadonlySet<string>> {
      const rows = await db.query(
        `select item_key from trigger_item where trigger_id = $triggerId
           and item_key in (select value from json_each(cast($keys as text)))`,
        { triggerId, keys: JSON.stringify(keys) },
      );
      return new Set(rows.map((row) => row["item_key"] as string));
    },

    /** Stores the items and how far the source was read, both or neither. False when the claim was lost. */
    async record(
      { id, claim }: Pick<ClaimedTrigger, "id" | "claim">,
      {
        items,
        position,
        secrets = null,
        now,
      }: { items: readonly FoundItem[]; position: string; secrets?: string | null | undefined; now: number },
    ): Promise<boolean> {
      const [updated] = await db.batch([
        {
          sql: `update triggers set position = $position, secrets = coalesce(cast($secrets as text), secrets), last_item_at = coalesce(cast($itemAt as bigint), last_item_at)
                where ${HOLDS_CLAIM} returning id`,
          params: { id, claim, position, secrets, itemAt: items.length === 0 ? null : now },
        },
        ...items.map((item) => insertItem(id, claim, item, now)),
        {
          sql: `delete from trigger_item where trigger_id = $id and task_id is not null and id <= (
                  select id from trigger_item where trigger_id = $id order by id desc limit 1 offset ${KEPT_ITEMS})`,
          params: { id },
        },
      ]);
      return updated?.length === 1;
    },

    /** Items whose run has not started, oldest first: those just found, and those of a process that crashed. */
    async pending(triggerId: string, limit: number): Promise<PendingItem[]> {
      const rows = await db.query(
        `select id, item_key, input,
           (select task_id from idempotency where scope = 'trigger:' || trigger_item.trigger_id and key = trigger_item.item_key) as started_task
         from trigger_item where trigger_id = $triggerId and task_id is null order by id limit $limit`,
        { triggerId, limit },
      );
      return rows.map((row) => ({
        id: row["id"] as string,
        key: row["item_key"] as string,
        input: JSON.parse(row["input"] as string) as JsonValue,
        taskId: row["started_task"] as string | null,
      }));
    },

    async started(itemId: string, taskId: string): Promise<void> {
      await db.batch([
        {
          sql: "update trigger_item set task_id = $taskId, input = null where id = $itemId",
          params: { itemId, taskId },
        },
      ]);
    },

    /** Ends the claim. Does nothing when it was lost, or the settings have changed. A null `next` pauses the trigger. */
    async finish(
      { id, claim }: Pick<ClaimedTrigger, "id" | "claim">,
      {
        now,
        next,
        failures,
        error,
        staysDue = false,
      }: {
        now: number;
        next: number | null;
        failures: number;
        error: CheckError | null;
        /** An item that arrived during the check starts at once. */
        staysDue?: boolean;
      },
    ): Promise<void> {
      await db.batch([
        {
          sql: `update triggers set next_check_at = ${staysDue ? "case when exists (select 1 from trigger_item where trigger_id = $id and task_id is null) then cast($now as bigint) else cast($next as bigint) end" : "cast($next as bigint)"}, active = case when cast($next as bigint) is null then 0 else active end,
                  last_check_at = $now, failures = $failures, last_error = $error, claim = null, claimed_until = null
                where ${HOLDS_CLAIM}`,
          params: { id, claim, now, next, failures, error: error === null ? null : JSON.stringify(error) },
        },
      ]);
    },

    /** Its source has released it: a paused one waits for its owner, a removed one is deleted. */
    async released({ id, claim }: Pick<ClaimedTrigger, "id" | "claim">, now: number): Promise<void> {
      await db.batch([
        {
          sql: `delete from triggers where ${HOLDS_CLAIM} and removed_at is not null`,
          params: { id, claim },
        },
        {
          sql: `update triggers set position = case when ${HOLDS_SUBSCRIPTION_SQL} then null else position end, active = 0,
                  next_check_at = null, last_check_at = $now, failures = 0, last_error = null, claim = null, claimed_until = null
                where ${HOLDS_CLAIM}`,
          params: { id, claim, now },
        },
      ]);
    },

    /** Stores an item that arrived by itself, and makes the trigger due, so that its run starts. */
    async deliver(id: string, item: FoundItem, now: number): Promise<void> {
      await db.batch([
        {
          sql: `insert into trigger_item (id, trigger_id, item_key, title, input, created_at)
                select cast($itemId as text), id, cast($key as text), cast($title as text), cast($input as text), cast($now as bigint)
                from triggers where id = $id and active = 1 and removed_at is null on conflict do nothing`,
          params: { id, ...itemParams(item, now), now },
        },
        {
          sql: "update triggers set next_check_at = $now, last_item_at = $now where id = $id and active = 1 and removed_at is null",
          params: { id, now },
        },
      ]);
    },

    /** Lets another process check it now. */
    async release({ id, claim }: Pick<ClaimedTrigger, "id" | "claim">): Promise<void> {
      await db.batch([
        {
          sql: `update triggers set claim = null, claimed_until = null where ${HOLDS_CLAIM}`,
          params: { id, claim },
        },
      ]);
    },

    /** When to claim again: at the next due time, or when a claim expires. */
    async nextDueAt(): Promise<number | null> {
      const [row] = await db.query(
        `select min(case when claimed_until > next_check_at then claimed_until else next_check_at end) as due
         from triggers where next_check_at is not null`,
      );
      return typeof row?.["due"] === "number" ? row["due"] : null;
    },
  };
}

/** Only for the process that holds the claim. One statement for each: the texts of a check may have megabytes. */
function insertItem(id: string, claim: string, item: FoundItem, now: number): Statement {
  return {
    sql: `insert into trigger_item (id, trigger_id, item_key, title, input, created_at)
          select cast($itemId as text), id, cast($key as text), cast($title as text), cast($input as text), cast($now as bigint)
          from triggers where ${HOLDS_CLAIM}
          on conflict do nothing`,
    params: { id, claim, ...itemParams(item, now), now },
  };
}

function itemParams({ key, title, input }: FoundItem, now: number) {
  return {
    itemId: createId("item", now),
    key,
    // NUL and lone surrogates cannot be stored. In the input they are escaped.
    title: title.slice(0, MAX_TITLE_LENGTH).replaceAll(/[\0\p{Cs}]/gu, ""),
    input: JSON.stringify(input),
  };
}

function toClaimed(row: Row): ClaimedTrigger {
  return { ...toTrigger(row), claim: row["claim"] as string };
}
