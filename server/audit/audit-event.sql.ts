import type { AuditFilter } from "../../contract/audit.ts";
import type { ResultPage } from "../lib/result-page.ts";
import { toResultPage } from "../lib/result-page.ts";
import { insertDelivery, type NewOutboxDelivery } from "../outbox/outbox-delivery.sql.ts";
import type { Db, Row, Statement } from "../storage/db.ts";
import { FIRST_HASH, INSTANCE_CHAIN, type StoredEvent } from "./chain.ts";
import { deletionOfFirst } from "../storage/delete-first.ts";

/** Where a chain ends, and after which event it begins. */
export interface ChainHead {
  sequence: number;
  hash: string;
  anchorSequence: number;
  anchorHash: string;
}

export interface ChainedEvent extends StoredEvent {
  previousHash: string;
  hash: string;
}

export type AuditStore = ReturnType<typeof createAuditStore>;

/** Not that of a workspace that is being deleted: its chain would be left behind. */
const MAY_BEGIN = `($chain = '${INSTANCE_CHAIN}' or (exists (select 1 from workspace where id = $chain)
  and not exists (select 1 from account_deletion where owner_id = $chain)))`;

/** One row an action: its result or, if there is none, its attempt. */
const IS_SHOWN = `(e.stage = 'result' or not exists (select 1 from audit_event as r
  where r.owner_id = e.owner_id and r.action_id = e.action_id and r.stage = 'result'))`;

export function createAuditStore(db: Db) {
  async function head(chain: string): Promise<ChainHead | undefined> {
    const [row] = await db.query("select * from audit_chain where owner_id = $chain", { chain });
    return row === undefined ? undefined : toHead(row);
  }

  return {
    head,

    /** Undefined when the workspace is gone. */
    async begin(chain: string): Promise<ChainHead | undefined> {
      const known = await head(chain);
      if (known !== undefined) return known;
      await db.batch([
        {
          sql: `insert into audit_chain (owner_id, sequence, hash, anchor_sequence, anchor_hash)
                select cast($chain as text), 0, '${FIRST_HASH}', 0, '${FIRST_HASH}' where ${MAY_BEGIN} on conflict do nothing`,
          params: { chain },
        },
      ]);
      return head(chain);
    },

    /** False when the chain has got other events since `after` was read: nothing is stored. The messages are stored with the events. */
    async append(
      chain: string,
      after: Pick<ChainHead, "sequence">,
      events: readonly ChainedEvent[],
      messages: readonly NewOutboxDelivery[],
    ): Promise<boolean> {
      const last = events.at(-1)!;
      const end = { chain, lastSequence: last.sequence, lastHash: last.hash };
      const onlyIf = {
        sql: `exists (select 1 from audit_chain where owner_id = $chain and sequence = $lastSequence and hash = $lastHash)`,
        params: end,
      };
      const [moved] = await db.batch(
        [
          // Locks the row: appends of several processes take turns.
          {
            sql: `update audit_chain set sequence = $lastSequence, hash = $lastHash
                  where owner_id = $chain and sequence = $sequence returning sequence`,
            params: { ...end, sequence: after.sequence },
          },
          ...events.map((event) => insert(event, onlyIf)),
          ...messages.map((message) => insertDelivery(message, last.at, onlyIf)),
        ],
        { alone: true },
      );
      return moved?.length === 1;
    },

    /** Newest first. */
    async list(
      chain: string,
      filter: AuditFilter,
      { limit, before }: { limit: number; before: number | undefined },
    ): Promise<ResultPage<ChainedEvent>> {
      const { alternatives, sql, params } = conditionsOf(filter);
      // One read of an index for each alternative: with "or" in between, a rare name would read the whole chain.
      const found = alternatives.map(
        (alternative) =>
          `select sequence from (select e.sequence from audit_event as e
             where e.owner_id = $chain and e.sequence < $before and ${IS_SHOWN}${sql}${alternative}
             order by e.sequence desc limit $limit) as newest`,
      );
      const rows = await db.query(
        `select * from audit_event where owner_id = $chain and sequence in (${found.join(" union ")})
         order by sequence desc limit $limit`,
        { ...params, chain, before: before ?? Number.MAX_SAFE_INTEGER, limit: limit + 1 },
      );
      return toResultPage(rows.map(toEvent), limit, ({ sequence }) => String(sequence));
    },

    /** All events after this one, oldest first, attempts with results too. */
    async listAfter(
      chain: string,
      filter: AuditFilter,
      { after, limit }: { after: number; limit: number },
    ): Promise<ChainedEvent[]> {
      const { alternatives, sql, params } = conditionsOf(filter);
      const found = alternatives.map(
        (alternative) =>
          `select sequence from (select e.sequence from audit_event as e
             where e.owner_id = $chain and e.sequence > $after${sql}${alternative}
             order by e.sequence limit $limit) as oldest`,
      );
      const rows = await db.query(
        `select * from audit_event where owner_id = $chain and sequence in (${found.join(" union ")})
         order by sequence limit $limit`,
        { ...params, chain, after, limit },
      );
      return rows.map(toEvent);
    },

    async listChains(): Promise<string[]> {
      const rows = await db.query(
        "select owner_id from audit_chain union select owner_id from audit_event order by owner_id",
      );
      return rows.map((row) => row["owner_id"] as string);
    },

    /** Chains whose oldest event is at or before this time. */
    async listExpired(cutoff: number): Promise<string[]> {
      const rows = await db.query(
        `select c.owner_id from audit_chain as c join audit_event as e
           on e.owner_id = c.owner_id and e.sequence = c.anchor_sequence + 1
         where e.at <= $cutoff order by c.owner_id`,
        { cutoff },
      );
      return rows.map((row) => row["owner_id"] as string);
    },

    /** Deletes up to `limit` of the oldest events at or before this time; returns how many. */
    async prune(chain: string, cutoff: number, limit: number): Promise<number> {
      const params = { chain, cutoff, limit };
      const [, removed = []] = await db.batch(
        [
          // The anchor keeps the rest of the chain verifiable, and the triggers let only events up to it be deleted.
          {
            sql: `update audit_chain set (anchor_sequence, anchor_hash) =
                    (select sequence, hash from audit_event where owner_id = $chain and sequence =
                       (select max(sequence) from (select sequence from audit_event
                          where owner_id = $chain and at <= $cutoff and sequence < coalesce(
                            (select min(sequence) from audit_event where owner_id = $chain and at > $cutoff), ${Number.MAX_SAFE_INTEGER})
                          order by sequence limit $limit) as oldest))
                  where owner_id = $chain and exists (select 1 from audit_event as e
                    where e.owner_id = $chain and e.sequence = audit_chain.anchor_sequence + 1 and e.at <= $cutoff)`,
            params,
          },
          {
            sql: `delete from audit_event where owner_id = $chain
                    and sequence <= (select anchor_sequence from audit_chain where owner_id = $chain) returning 1 as one`,
            params: { chain },
          },
        ],
        { alone: true },
      );
      return removed.length;
    },

    /** Deletes up to `limit` events of a chain that ends; returns how many. */
    async eraseSome(chain: string, limit: number): Promise<number> {
      const [, removed = []] = await db.batch(
        [
          {
            sql: "update audit_chain set anchor_sequence = sequence, anchor_hash = hash where owner_id = $chain",
            params: { chain },
          },
          deletionOfFirst({ table: "audit_event", group: "owner_id", key: "sequence", value: chain }, limit),
        ],
        { alone: true },
      );
      return removed.length;
    },

    async eraseHead(chain: string): Promise<void> {
      await db.batch([{ sql: "delete from audit_chain where owner_id = $chain", params: { chain } }]);
    },
  };
}

interface Condition {
  sql: string;
  params: Readonly<Record<string, string | number>>;
}

function insert(event: ChainedEvent, onlyIf: Condition): Statement {
  return {
    sql: `insert into audit_event (owner_id, sequence, at, stage, action_id, action, outcome, status, error, actor_kind, actor_id,
            actor_name, key_id, target_kind, target_id, target_name, address, user_agent, request_id, state_before, state_after,
            previous_hash, hash)
          select cast($chain as text), cast($sequence as bigint), cast($at as bigint), $stage, $actionId, $action, $outcome,
            cast($status as bigint), $error, $actorKind, $actorId, $actorName, $keyId, $targetKind, $targetId, $targetName,
            $address, $userAgent, $requestId, $before, $after, $previousHash, $hash
          where ${onlyIf.sql}`,
    params: { ...event, ...onlyIf.params },
  };
}

/** Each has an index. */
const IS_ACTOR = ["e.actor_id = $actor", "e.key_id = $actor", "lower(e.actor_name) = lower($actor)"];
const IS_TARGET = ["e.target_id = $target", "lower(e.target_name) = lower($target)"];

interface FilterCondition extends Condition {
  /** One of them holds; each begins with "and", or is empty. */
  alternatives: string[];
}

function conditionsOf({ actor, action, target, from, to }: AuditFilter): FilterCondition {
  const given: [sql: string, name: string, value: string | number | undefined][] = [
    ["", "actor", actor],
    [" and e.action = $action", "action", action],
    ["", "target", target],
    [" and e.at >= $from", "from", from === undefined ? undefined : Date.parse(from)],
    [" and e.at < $to", "to", to === undefined ? undefined : Date.parse(to)],
  ];
  const set = given.flatMap(([sql, name, value]) => (value === undefined ? [] : [{ sql, name, value }]));
  const actors = actor === undefined ? [""] : IS_ACTOR.map((sql) => ` and ${sql}`);
  const targets = target === undefined ? [""] : IS_TARGET.map((sql) => ` and ${sql}`);
  return {
    alternatives: actors.flatMap((isActor) => targets.map((isTarget) => isActor + isTarget)),
    sql: set.map(({ sql }) => sql).join(""),
    params: Object.fromEntries(set.map(({ name, value }) => [name, value])),
  };
}

function toHead(row: Row): ChainHead {
  return {
    sequence: Number(row["sequence"]),
    hash: row["hash"] as string,
    anchorSequence: Number(row["anchor_sequence"]),
    anchorHash: row["anchor_hash"] as string,
  };
}

function toEvent(row: Row): ChainedEvent {
  const text = (column: string) => row[column] as string | null;
  return {
    sequence: Number(row["sequence"]),
    at: Number(row["at"]),
    stage: row["stage"] as ChainedEvent["stage"],
    actionId: row["action_id"] as string,
    action: row["action"] as string,
    outcome: row["outcome"] as ChainedEvent["outcome"],
    status: row["status"] === null ? null : Number(row["status"]),
    error: text("error"),
    actorKind: row["actor_kind"] as ChainedEvent["actorKind"],
    actorId: text("actor_id"),
    actorName: text("actor_name"),
    keyId: text("key_id"),
    targetKind: text("target_kind"),
    targetId: text("target_id"),
    targetName: text("target_name"),
    address: text("address"),
    userAgent: text("user_agent"),
    requestId: text("request_id"),
    before: text("state_before"),
    after: text("state_after"),
    previousHash: row["previous_hash"] as string,
    hash: row["hash"] as string,
  };
}
