import type { SessionStatus } from "../../../contract/teams.ts";
import { createId } from "../../lib/ids.ts";
import type { Appended, NewMessage } from "../session-record.ts";
import type { Db, Row, SqlValue, Statement } from "../../storage/db.ts";

export interface Append {
  sessionId: string;
  messages: readonly NewMessage[];
  now: number;
  /** On the session's task, which every write of a session takes first: two that meet wait for each other. */
  task: Statement;
  /** Of the session's row. These two may use $4 and on, which are `params`. */
  change: string;
  condition: string;
  params: readonly SqlValue[];
  /** What else belongs to the write; `$write` is what the row's `last_write` then says. */
  after?(write: string): Statement[];
}

/** Moves the session's row by `change`, and its log with it; nothing at all when `condition` does not hold. */
export async function append(
  db: Db,
  { sessionId, messages, now, task, change, condition, params, after }: Append,
): Promise<(Appended & { status: SessionStatus; rest: Row[][] }) | undefined> {
  const write = messages[0]?.id ?? createId("msg", now);
  const [, updated, , ...rest] = await db.batch([
    task,
    {
      // One whose answer was lost is sent again: its first message is in the log already.
      sql: `update session set last_seq = last_seq + $2, last_write = $3, ${change}
            where id = $1 and not exists (select 1 from session_message where id = $3) and ${condition} returning last_seq, status`,
      params: [sessionId, messages.length, write, ...params],
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
    "select m.seq, s.status from session_message as m join session as s on s.id = m.session_id where m.id = $1",
    [write],
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

/** Numbered from the session's own counter, which the statement before has moved, or not: then nothing is stored. */
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
  }));
  const field = (name: string) => `e.value ->> '${name}'`;
  return {
    sql: `insert into session_message (session_id, seq, id, dedupe_key, from_id, from_type, to_id, to_type, type, content, seen, outside, created_at)
          select s.id, s.last_seq - cast(${field("behind")} as bigint), ${["id", "key", "fromId", "fromType", "toId", "toType", "type", "content"].map(field).join(", ")},
            cast(${field("seen")} as bigint), cast(${field("outside")} as bigint), $4
          from session as s, json_each(cast($3 as text)) as e where s.id = $1 and s.last_write = $2 on conflict do nothing`,
    params: [sessionId, write, JSON.stringify(rows), now],
  };
}
