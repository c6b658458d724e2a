import type { PageQuery } from "../../contract/api.ts";
import type { EventType, UpdateEventSubscription } from "../../contract/events.ts";
import { type ResultPage, toResultPage } from "../lib/result-page.ts";
import type { Db, Row } from "../storage/db.ts";
import { throwNotFoundOrForbidden } from "../storage/ownership.ts";
import { AFTER_EVERY_ID } from "../storage/paging.ts";

export interface SubscriptionRecord {
  id: string;
  ownerId: string;
  url: string;
  types: EventType[];
  workflowId: string | null;
  active: boolean;
  disabledReason: string | null;
  sealedSecret: string;
  /** Signs as well until `previousUntil`. */
  sealedPreviousSecret: string | null;
  previousUntil: number | null;
  createdAt: number;
  updatedAt: number;
}

export type SubscriptionStore = ReturnType<typeof createSubscriptionStore>;

export function createSubscriptionStore(db: Db) {
  const orThrow = (row: Row | undefined, id: string): SubscriptionRecord | Promise<never> =>
    row === undefined
      ? throwNotFoundOrForbidden(db, "event_subscription", "event_subscription", id)
      : toSubscription(row);

  return {
    /** False when the owner has `maximum` subscriptions. */
    async insert(subscription: SubscriptionRecord, maximum: number): Promise<boolean> {
      const [inserted = []] = await db.batch([
        {
          sql: `insert into event_subscription (id, owner_id, url, types, workflow_id, active, secret, created_at, updated_at)
                select $id, $ownerId, $url, $types, $workflowId, cast($active as bigint), $sealedSecret,
                  cast($createdAt as bigint), cast($createdAt as bigint)
                where (select count(*) from event_subscription where owner_id = $ownerId) < $maximum returning id`,
          params: {
            id: subscription.id,
            ownerId: subscription.ownerId,
            url: subscription.url,
            types: JSON.stringify(subscription.types),
            workflowId: subscription.workflowId,
            active: Number(subscription.active),
            sealedSecret: subscription.sealedSecret,
            createdAt: subscription.createdAt,
            maximum,
          },
        },
      ]);
      return inserted.length === 1;
    },

    /** Throws `event_subscription_not_found` or `forbidden`. */
    async get(id: string, ownerId: string): Promise<SubscriptionRecord> {
      const [row] = await db.query(
        "select * from event_subscription where id = $id and owner_id = $ownerId",
        {
          id,
          ownerId,
        },
      );
      return orThrow(row, id);
    },

    async find(id: string, ownerId: string): Promise<SubscriptionRecord | undefined> {
      const [row] = await db.query(
        "select * from event_subscription where id = $id and owner_id = $ownerId",
        {
          id,
          ownerId,
        },
      );
      return row === undefined ? undefined : toSubscription(row);
    },

    async list(ownerId: string, { limit, cursor }: PageQuery): Promise<ResultPage<SubscriptionRecord>> {
      const rows = await db.query(
        "select * from event_subscription where owner_id = $ownerId and id < $before order by id desc limit $limit",
        { ownerId, before: cursor ?? AFTER_EVERY_ID, limit: limit + 1 },
      );
      return toResultPage(rows.map(toSubscription), limit, ({ id }) => id);
    },

    /** The active subscriptions of these owners. */
    async listActive(ownerIds: readonly string[]): Promise<SubscriptionRecord[]> {
      const rows = await db.query(
        `select * from event_subscription
         where active = 1 and owner_id in (select value from json_each(cast($ownerIds as text))) order by id`,
        { ownerIds: JSON.stringify(ownerIds) },
      );
      return rows.map(toSubscription);
    },

    /** The owners with an active subscription to one of these types. */
    async listOwners(isWanted: (type: string) => boolean): Promise<string[]> {
      const rows = await db.query("select owner_id, types from event_subscription where active = 1");
      const wanted = rows.filter((row) => (JSON.parse(row["types"] as string) as string[]).some(isWanted));
      return [...new Set(wanted.map((row) => row["owner_id"] as string))];
    },

    async update(
      id: string,
      ownerId: string,
      { url, types, workflowId, active }: UpdateEventSubscription,
      now: number,
    ): Promise<SubscriptionRecord> {
      const [updated = []] = await db.batch([
        {
          sql: `update event_subscription set url = coalesce($url, url), types = coalesce($types, types),
                  workflow_id = case when cast($changesWorkflow as bigint) = 1 then $workflowId else workflow_id end,
                  active = coalesce(cast($active as bigint), active),
                  disabled_reason = case when cast($active as bigint) is null then disabled_reason end, updated_at = $now
                where id = $id and owner_id = $ownerId returning *`,
          params: {
            id,
            ownerId,
            url: url ?? null,
            types: types === undefined ? null : JSON.stringify(types),
            changesWorkflow: Number(workflowId !== undefined),
            workflowId: workflowId ?? null,
            active: active === undefined ? null : Number(active),
            now,
          },
        },
      ]);
      return orThrow(updated[0], id);
    },

    async disable(id: string, ownerId: string, reason: string, now: number): Promise<void> {
      await db.batch([
        {
          sql: `update event_subscription set active = 0, disabled_reason = $reason, updated_at = $now
                where id = $id and owner_id = $ownerId and active = 1`,
          params: { id, ownerId, reason, now },
        },
      ]);
    },

    /** The replaced secret signs as well until `previousUntil`. */
    async replaceSecret(
      id: string,
      ownerId: string,
      sealedSecret: string,
      { previousUntil, now }: { previousUntil: number; now: number },
    ): Promise<SubscriptionRecord> {
      const [updated = []] = await db.batch([
        {
          sql: `update event_subscription set previous_secret = secret, previous_secret_until = $previousUntil,
                  secret = $sealedSecret, updated_at = $now
                where id = $id and owner_id = $ownerId returning *`,
          params: { id, ownerId, sealedSecret, previousUntil, now },
        },
      ]);
      return orThrow(updated[0], id);
    },

    async remove(id: string, ownerId: string): Promise<void> {
      const [removed = []] = await db.batch([
        {
          sql: "delete from event_subscription where id = $id and owner_id = $ownerId returning *",
          params: { id, ownerId },
        },
      ]);
      await orThrow(removed[0], id);
    },
  };
}

function toSubscription(row: Row): SubscriptionRecord {
  return {
    id: row["id"] as string,
    ownerId: row["owner_id"] as string,
    url: row["url"] as string,
    types: JSON.parse(row["types"] as string) as EventType[],
    workflowId: row["workflow_id"] as string | null,
    active: Number(row["active"]) === 1,
    disabledReason: row["disabled_reason"] as string | null,
    sealedSecret: row["secret"] as string,
    sealedPreviousSecret: row["previous_secret"] as string | null,
    previousUntil: row["previous_secret_until"] === null ? null : Number(row["previous_secret_until"]),
    createdAt: Number(row["created_at"]),
    updatedAt: Number(row["updated_at"]),
  };
}
