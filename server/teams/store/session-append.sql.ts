import type { SessionStatus } from "../../../contract/teams.ts";
import { createId } from "../../lib/ids.ts";
import type { Appended, NewMessage } from "../session-record.ts";
import type { Db, Row, SqlValue, Statement } from "../../storage/db.ts";

export interface Append {
  sessionId: string;
  messages: readonly NewMessage[];
  now: number;
  /** Writes the session's task row. Every write of a session locks that row first, so that two cannot deadlock. */
  task: Statement;
  /** Assignments and condition of the update of the session's row; `$sessionId` and those in `params` can be used. */
  change: string;
  condition: string;
  params?: Readonly<Record<string, SqlValue>>;
  /** Further statements of the transaction. They can test that `last_write` of the session's row is `write`. */
  after?(write: string): Statement[];
}

/** Updates the session's row and appends to its log, or writes nothing if `condition` does not hold. */
export async function append(
  db: Db,
  { sessionId, messages, now, task, change, condition, params, after }: Append,
): Promise<(Appended & { status: SessionStatus; rest: Row[][] }) | undefined> {
  const write = messages[0]?.id ?? createId("msg", now);
  const [, updated, , ...rest] = await db.batch([
    task,
    {
      // A write whose reply was lost is sent again: then its first message is already in the log.
      sql: `update session set last_seq = last_seq + $count, last_write = $write, ${change}
            where id = $sessionId and not exists (select 1 from session_message where id = $write) and ${condition}
            returning last_seq, status`,
      params: { sessionId, count: messages.length, write, ...params },
    },
    insertMessages(sessionId, write, messages, now),
    ...(after?.(write) ?? []),
  ]);
  const row = updated?.[0];
  if (row !== undefined) {
    const lastSeq = Number(row["last_seq"]);
    const firstSeq = lastSeq - messages.length + 1;
    return { firstSeq, lastSeq, status: row["status"] as SessionStatus, rest };
  }
  const [stored] = await db.query(
    "select m.seq, s.status from session_message as m join session as s on s.id = m.session_id where m.id = $write",
    { write },
  );
  if (stored === undefined) return undefined;
  const firstSeq = Number(stored["seq"]);
  return {
    firstSeq,
    lastSeq: firstSeq + messages.length - 1,
    status: stored["status"] as SessionStatus,
    rest,
  };
}

/** Numbers the messages from the session's counter. Stores nothing unless the statement before has set `last_write`. */
export function insertMessages(
  sessionId: string,
  write: string,
  messages: readonly NewMessage[],
  now: number,
): Statement {
  const rows = messages.map((message, index) => ({
    behind: messages.length - 1 - index,
    id: message.id,
    key: message.dedupeKey,
    fromId: message.from.id,
    fromType: message.from.type,
    toId: message.to.id,
    toType: message.to.type,
    type: message.type,
    content: JSON.stringify(message.content),
    seen: message.seen,
    outside: Number(message.outside),
    continues: message.continues ?? null,
  }));
  const field = (name: string) => `e.value ->> '${name}'`;
  return {
    sql: `insert into session_message (session_id, seq, id, dedupe_key, from_id, from_type, to_id, to_type, type, content, seen, outside, continues, created_at)
          select s.id, s.last_seq - cast(${field("behind")} as bigint), ${["id", "key", "fromId", "fromType", "toId", "toType", "type", "content"].map(field).join(", ")},
            cast(${field("seen")} as bigint), cast(${field("outside")} as bigint), cast(${field("continues")} as bigint), $now
          from session as s, json_each(cast($rows as text)) as e
          where s.id = $sessionId and s.last_write = $write on conflict do nothing`,
    params: { sessionId, write, rows: JSON.stringify(rows), now },
  };
}
