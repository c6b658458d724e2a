import type { PageQuery } from "../../contract/api.ts";
import type { StoredTriggerKind, TriggerItem, TriggerSettings } from "../../contract/triggers.ts";
import { toIso } from "../lib/clock.ts";
import { type ResultPage, toResultPage } from "../lib/result-page.ts";
import type { Db, Row, SqlValue } from "../storage/db.ts";
import { throwNotFoundOrForbidden } from "../storage/ownership.ts";
import { HOLDS_SUBSCRIPTION_SQL } from "./subscription.ts";
import { AFTER_EVERY_ID } from "../storage/paging.ts";

export interface CheckError {
  at: number;
  code: string;
  message: string;
}

export interface TriggerRecord<Kind extends StoredTriggerKind = StoredTriggerKind> {
  id: string;
  ownerId: string;
  workflowId: string | null;
  kind: Kind;
  name: string;
  settings: TriggerSettings[Kind];
  /** Sealed JSON; null when the kind has no secret. */
  secrets: string | null;
  active: boolean;
  /** How far the source was read, in the words of its kind; null before the first check. */
  position: string | null;
  /** Null while the trigger is paused, and for a kind that checks nothing. */
  nextCheckAt: number | null;
  lastCheckAt: number | null;
  lastItemAt: number | null;
  lastError: CheckError | null;
  failures: number;
  /** Its owner removed it; it waits until its source has released it. */
  removedAt?: number | null;
  createdAt: number;
  updatedAt: number;
}

/** Removed ones do not exist for their owner. */
const SHOWN = "(select id from triggers where removed_at is null) as shown";

export type TriggerStore = ReturnType<typeof createTriggerStore>;

const COLUMNS =
  "id, owner_id, workflow_id, kind, name, settings, secrets, active, position, next_check_at, last_check_at, last_item_at, last_error, failures, removed_at, created_at, updated_at";

export function createTriggerStore(db: Db) {
  return {
    /**
     * False when the owner has as many triggers as are allowed, or another trigger has the slug. Removed ones that still hold
     * a subscription count as well, up to twice the number: creating and deleting in turn must not fill the table.
     */
    async insert(trigger: TriggerRecord, maxPerOwner: number): Promise<boolean> {
      const [inserted] = await db.batch([
        {
          sql: `insert into triggers (id, owner_id, workflow_id, kind, name, slug, settings, secrets, active, next_check_at, failures, created_at, updated_at)
                select $id, $ownerId, cast($workflowId as text), $kind, $name, cast($slug as text), $settings, cast($secrets as text),
                  cast($active as bigint), cast($nextCheckAt as bigint), 0, cast($createdAt as bigint), cast($updatedAt as bigint)
                where cast($maxPerOwner as bigint) = 0
                  or ((select count(*) from triggers where owner_id = $ownerId and removed_at is null) < cast($maxPerOwner as bigint)
                    and (select count(*) from triggers where owner_id = $ownerId) < 2 * cast($maxPerOwner as bigint))
                on conflict do nothing returning id`,
          params: { ...toParams(trigger), createdAt: trigger.createdAt, maxPerOwner },
        },
      ]);
      return inserted?.length === 1;
    },

    async count(ownerId: string): Promise<number> {
      const [row] = await db.query(
        "select count(*) as n from triggers where owner_id = $ownerId and removed_at is null",
        {
          ownerId,
        },
      );
      return Number(row?.["n"]);
    },

    /** Checks of the owner that run now, in all processes. */
    async countChecks(ownerId: string, now: number): Promise<number> {
      const [row] = await db.query(
        "select count(*) as n from triggers where owner_id = $ownerId and claimed_until > $now",
        { ownerId, now },
      );
      return Number(row?.["n"]);
    },

    async findBySlug(slug: string): Promise<TriggerRecord<"chat"> | undefined> {
      const [row] = await db.query(`select ${COLUMNS} from triggers where slug = $slug`, { slug });
      return row === undefined ? undefined : (toTrigger(row) as TriggerRecord<"chat">);
    },

    /** Throws `trigger_not_found` or `forbidden`. */
    async get(id: string, ownerId: string): Promise<TriggerRecord> {
      const [row] = await db.query(
        `select ${COLUMNS} from triggers where id = $id and owner_id = $ownerId and removed_at is null`,
        {
          id,
          ownerId,
        },
      );
      return row === undefined ? throwNotFoundOrForbidden(db, SHOWN, "trigger", id) : toTrigger(row);
    },

    async list(
      ownerId: string,
      { limit, cursor, workflowId }: PageQuery & { workflowId?: string | undefined },
    ): Promise<ResultPage<TriggerRecord>> {
      const rows = await db.query(
        `select ${COLUMNS} from triggers where owner_id = $ownerId and removed_at is null and id < $before
           ${workflowId === undefined ? "" : "and workflow_id = $workflowId"} order by id desc limit $limit`,
        {
          ownerId,
          before: cursor ?? AFTER_EVERY_ID,
          limit: limit + 1,
          ...(workflowId !== undefined && { workflowId }),
        },
      );
      return toResultPage(rows.map(toTrigger), limit, ({ id }) => id);
    },

    /**
     * Optimistic lock: false when the row changed after `expectedUpdatedAt` or was deleted. Ends a check in progress, whose
     * settings are no longer these; with `isNewSource` the next one begins like the first.
     */
    async update(
      trigger: TriggerRecord,
      { expectedUpdatedAt, isNewSource }: { expectedUpdatedAt: number; isNewSource: boolean },
    ): Promise<boolean> {
      const [updated] = await db.batch([
        {
          sql: `update triggers set name = $name, slug = $slug, settings = $settings, secrets = $secrets, active = $active,
                  next_check_at = $nextCheckAt, claim = null, claimed_until = null, failures = 0, last_error = null,
                  ${isNewSource ? "position = null," : ""} updated_at = $updatedAt
                where id = $id and owner_id = $ownerId and updated_at = $expectedUpdatedAt
                  and not exists (select 1 from triggers as other where other.slug = $slug and other.id <> $id)
                returning id`,
          params: { ...withoutIdentity(toParams(trigger)), expectedUpdatedAt },
        },
      ]);
      return updated?.length === 1;
    },

    /** An active trigger of the kind `app`, for a call of its vendor. */
    async findActiveApp(id: string): Promise<TriggerRecord<"app"> | undefined> {
      const [row] = await db.query(
        `select ${COLUMNS} from triggers where id = $id and kind = 'app' and active = 1 and removed_at is null`,
        { id },
      );
      return row === undefined ? undefined : (toTrigger(row) as TriggerRecord<"app">);
    },

    /** With a subscription at its source, it stays hidden until the loop has ended that. */
    async remove(id: string, ownerId: string, now: number): Promise<void> {
      const [hidden, removed] = await db.batch([
        {
          sql: `update triggers set removed_at = $now, active = 0, next_check_at = $now, claim = null, claimed_until = null, failures = 0
                where id = $id and owner_id = $ownerId and removed_at is null and ${HOLDS_SUBSCRIPTION_SQL} returning id`,
          params: { id, ownerId, now },
        },
        {
          sql: "delete from triggers where id = $id and owner_id = $ownerId and removed_at is null returning id",
          params: { id, ownerId },
        },
      ]);
      if (hidden?.length !== 1 && removed?.length !== 1)
        await throwNotFoundOrForbidden(db, SHOWN, "trigger", id);
    },

    /** Hides all triggers of an owner that hold a subscription at their source, for the loop to end them. */
    async hideSubscribed(ownerId: string, now: number): Promise<void> {
      await db.batch([
        {
          sql: `update triggers set removed_at = $now, active = 0, next_check_at = $now, claim = null, claimed_until = null, failures = 0
                where owner_id = $ownerId and removed_at is null and ${HOLDS_SUBSCRIPTION_SQL}`,
          params: { ownerId, now },
        },
      ]);
    },

    /** How many subscriptions of hidden triggers have not been tried to end. */
    async countSubscribed(ownerId: string): Promise<number> {
      const [row] = await db.query(
        "select count(*) as n from triggers where owner_id = $ownerId and removed_at is not null and failures = 0",
        { ownerId },
      );
      return Number(row?.["n"]);
    },

    /** Newest first. The caller has checked the owner. */
    async listItems(triggerId: string, { limit, cursor }: PageQuery): Promise<ResultPage<TriggerItem>> {
      const rows = await db.query(
        `select id, title, task_id, created_at from trigger_item where trigger_id = $triggerId and id < $before
         order by id desc limit $limit`,
        { triggerId, before: cursor ?? AFTER_EVERY_ID, limit: limit + 1 },
      );
      return toResultPage(rows.map(toItem), limit, ({ id }) => id);
    },
  };
}

function toParams(trigger: TriggerRecord) {
  return {
    id: trigger.id,
    ownerId: trigger.ownerId,
    workflowId: trigger.workflowId,
    kind: trigger.kind,
    name: trigger.name,
    slug: "slug" in trigger.settings ? trigger.settings.slug : null,
    settings: JSON.stringify(trigger.settings),
    secrets: trigger.secrets,
    active: Number(trigger.active),
    nextCheckAt: trigger.nextCheckAt,
    updatedAt: trigger.updatedAt,
  };
}

function withoutIdentity({
  workflowId: _workflowId,
  kind: _kind,
  ...params
}: ReturnType<typeof toParams>): Record<string, SqlValue> {
  return params;
}

export function toTrigger(row: Row): TriggerRecord {
  return {
    id: row["id"] as string,
    ownerId: row["owner_id"] as string,
    workflowId: row["workflow_id"] as string | null,
    kind: row["kind"] as StoredTriggerKind,
    name: row["name"] as string,
    settings: settingsOf(row),
    secrets: row["secrets"] as string | null,
    active: Number(row["active"]) === 1,
    position: row["position"] as string | null,
    nextCheckAt: row["next_check_at"] as number | null,
    lastCheckAt: row["last_check_at"] as number | null,
    lastItemAt: row["last_item_at"] as number | null,
    lastError: row["last_error"] === null ? null : (JSON.parse(row["last_error"] as string) as CheckError),
    failures: Number(row["failures"]),
    removedAt: (row["removed_at"] as number | null) ?? null,
    createdAt: Number(row["created_at"]),
    updatedAt: Number(row["updated_at"]),
  };
}

function toItem(row: Row): TriggerItem {
  return {
    id: row["id"] as string,
    title: row["title"] as string,
    taskId: row["task_id"] as string | null,
    createdAt: toIso(Number(row["created_at"])),
  };
}

/** A mailbox that was saved by an earlier version names no connection. */
function settingsOf(row: Row): TriggerRecord["settings"] {
  const settings = JSON.parse(row["settings"] as string) as TriggerRecord["settings"];
  return row["kind"] === "email" && !("connection" in settings)
    ? Object.assign(settings, { connection: null })
    : settings;
}
