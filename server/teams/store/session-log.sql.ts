import type { MessageHead, MessageRecord } from "../session-record.ts";
import type { Db } from "../../storage/db.ts";
import { toHead, toMessage } from "./session-rows.sql.ts";

export async function readLog(
  db: Db,
  sessionId: string,
  after: number,
  limit: number,
): Promise<MessageRecord[]> {
  const rows = await db.query(
    `select m.*, s.team_id from session_message as m join session as s on s.id = m.session_id
     where m.session_id = $sessionId and m.seq > $after order by m.seq limit $limit`,
    { sessionId, after, limit },
  );
  return rows.map(toMessage);
}

export async function readHeads(db: Db, sessionId: string, after: number): Promise<MessageHead[]> {
  const rows = await db.query(
    `select seq, from_id, from_type, to_id, to_type, type, seen, outside, created_at from session_message
     where session_id = $sessionId and seq > $after order by seq`,
    { sessionId, after },
  );
  return rows.map(toHead);
}
