import type { MessageHead, MessageRecord } from "../session-record.ts";
import type { Db } from "../../storage/db.ts";
import { toHead, toMessage } from "./session-rows.sql.ts";

/** Messages may have a megabyte each: a page ends after the one that exceeds this. */
const MAX_PAGE_BYTES = 1_000_000;

/** Up to `limit` entries, fewer if they are large. Only an empty page is the end of the log. */
export async function readLog(
  db: Db,
  sessionId: string,
  after: number,
  limit: number,
): Promise<MessageRecord[]> {
  const rows = await db.query(
    `select m.*, s.team_id from session_message as m join session as s on s.id = m.session_id
     where m.session_id = $sessionId and m.seq > $after and m.seq <= (
       select max(seq) from (
         select seq, sum(bytes) over (order by seq rows between unbounded preceding and 1 preceding) as bytes_before
         from (
           select seq, octet_length(content) as bytes from session_message
           where session_id = $sessionId and seq > $after order by seq limit $limit
         ) as page
       ) as entry where coalesce(bytes_before, 0) < ${MAX_PAGE_BYTES}
     ) order by m.seq`,
    { sessionId, after, limit },
  );
  return rows.map(toMessage);
}

/** The newest entries after `after`, oldest first: all but the oldest together within the size of a page. */
export async function readRecent(db: Db, sessionId: string, after: number): Promise<MessageRecord[]> {
  const rows = await db.query(
    `select m.*, s.team_id from session_message as m join session as s on s.id = m.session_id
     where m.session_id = $sessionId and m.seq >= (
       select min(seq) from (
         select seq, sum(bytes) over (order by seq desc rows between unbounded preceding and 1 preceding) as bytes_behind
         from (
           select seq, octet_length(content) as bytes from session_message
           where session_id = $sessionId and seq > $after
         ) as page
       ) as entry where coalesce(bytes_behind, 0) < ${MAX_PAGE_BYTES}
     ) order by m.seq`,
    { sessionId, after },
  );
  return rows.map(toMessage);
}

/** What one read of an exchange may return. The first entry and the newest ones count: the newest have the answer. */
const MAX_ENTRIES = 1000;
const MAX_CHARACTERS = 4_000_000;

/** The entries from a message from outside up to the next one that starts another exchange. */
export async function readExchange(
  db: Db,
  sessionId: string,
  seq: number,
): Promise<{ entries: MessageRecord[]; isClosed: boolean }> {
  const [next] = await db.query(
    `select min(seq) as seq from session_message
     where session_id = $sessionId and seq > $seq and outside = 1 and continues is null`,
    { sessionId, seq },
  );
  const newestFirst = "case when m.seq = $seq then 0 else 1 end, m.seq desc";
  const rows = await db.query(
    `select * from (
       select m.*, s.team_id, sum(length(m.content)) over (order by ${newestFirst}) - length(m.content) as characters_before
       from session_message as m join session as s on s.id = m.session_id
       where m.session_id = $sessionId and m.seq >= $seq and m.seq < $end order by ${newestFirst} limit ${MAX_ENTRIES}
     ) as entry where characters_before < ${MAX_CHARACTERS} order by seq`,
    { sessionId, seq, end: next?.["seq"] == null ? Number.MAX_SAFE_INTEGER : Number(next["seq"]) },
  );
  return { entries: rows.map(toMessage), isClosed: next?.["seq"] != null };
}

export async function readHeads(db: Db, sessionId: string, after: number): Promise<MessageHead[]> {
  const rows = await db.query(
    `select seq, from_id, from_type, to_id, to_type, type, seen, outside, created_at from session_message
     where session_id = $sessionId and seq > $after order by seq`,
    { sessionId, after },
  );
  return rows.map(toHead);
}
