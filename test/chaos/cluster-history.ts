import type { Row } from "../../server/storage/db.ts";
import { asAdmin, sqlOnServer } from "../support/postgres.ts";
import { SUCCESS_TRANSITIONS } from "../support/task-transitions.ts";
import type { Heartbeat, Loss } from "./losses.ts";
import { type History, type HistoryEntry, historyOf, type HistoryTask } from "./history.ts";

const ALLOWED_TRANSITIONS = new Set(SUCCESS_TRANSITIONS);

/** Triggers record which process changed which task, and every change of rows that must never change. */
export async function watchHistory(url: string): Promise<void> {
  await asAdmin(
    url,
    `create table chaos_transition (task_id text, move text, worker text, at bigint);
     create table chaos_change (what text);
     create table chaos_worker (id text primary key, member text);
     create table chaos_heartbeat (worker text, sent bigint, at bigint);
     create table chaos_loss (task_id text, worker text, silent_ms bigint, at bigint);
     create function chaos_now() returns bigint language sql as
       'select (extract(epoch from clock_timestamp()) * 1000)::bigint';
     create function chaos_transitioned() returns trigger language plpgsql as $$ begin
       insert into chaos_transition values (new.id, old.status || '>' || new.status, new.worker_id, chaos_now());
       if old.result is not null and new.result is distinct from old.result then
         insert into chaos_change values (new.id || ': its result');
       end if;
       return null;
     end $$;
     create trigger chaos_transitioned after update on task for each row
       when (old.status <> new.status or old.result is not null) execute function chaos_transitioned();
     create function chaos_named() returns trigger language plpgsql as $$ begin
       insert into chaos_worker values (new.id, current_setting('application_name')) on conflict do nothing;
       insert into chaos_heartbeat values (new.id, new.heartbeat_at, chaos_now());
       return null;
     end $$;
     create trigger chaos_named after insert or update on worker for each row execute function chaos_named();
     create function chaos_lost() returns trigger language plpgsql as $$ begin
       insert into chaos_loss values (new.id, old.worker_id,
         chaos_now() - (select heartbeat_at from worker where id = old.worker_id), chaos_now());
       return null;
     end $$;
     create trigger chaos_lost after update on task for each row
       when (old.status = 'running' and old.worker_id is not null and old.epoch <> new.epoch) execute function chaos_lost();
     create function chaos_changed() returns trigger language plpgsql as $$ begin
       insert into chaos_change values (tg_table_name || ' ' || tg_op || ' ' || row_to_json(old));
       return null;
     end $$;
     create trigger chaos_changed after update on journal for each row
       when (old.* is distinct from new.*) execute function chaos_changed();
     create trigger chaos_removed after delete on journal for each row execute function chaos_changed();
     create trigger chaos_changed after update on session_message for each row
       when (old.* is distinct from new.*) execute function chaos_changed();
     create trigger chaos_removed after delete on session_message for each row execute function chaos_changed()`,
  );
}

export interface ClusterHistory extends History {
  /** Status changes that are not allowed, and changed or removed rows. */
  faults: string[];
  /** When tasks ended, in order. */
  endings: number[];
  /** Duration of each task from acceptance to end, without approvals. */
  durations: number[];
  sessions: ClusterSession[];
  losses: Loss[];
  heartbeats: Heartbeat[];
}

export interface ClusterSession {
  id: string;
  teamId: string;
  status: string;
  completedAt: number;
  lastSeq: number;
  log: { seq: number; id: string; text: string }[];
}

export async function readClusterHistory(url: string): Promise<ClusterHistory> {
  const rows = (sql: string): Promise<Row[]> => sqlOnServer(url, sql);
  const tasks = await rows(
    `select id, workflow_id as "workflowId", status, input, result, error, parent_task_id as "parentTaskId", created_at, completed_at,
       exists (select 1 from chaos_transition where task_id = id and move like 'waiting_approval>%') as asked
     from task where lane = 'task'`,
  );
  const entries = await rows(
    `select task_id as "taskId", seq, kind, path, status, output, at from journal
     where task_id in (select id from task where lane = 'task') order by task_id, seq`,
  );
  // A task that crashed its process three times waits in the queue when it is failed.
  const moves = await rows(
    `select distinct move from chaos_transition where split_part(move, '>', 1) <> split_part(move, '>', 2)
       and not (move = 'queued>failed' and exists (select 1 from task where id = task_id and error like '%"poison_task"%'))`,
  );
  // By the server's clock: a process may record an end long after its own timestamp.
  const endings = await rows("select at from chaos_transition where move = 'running>completed' order by at");
  const changes = await rows("select what from chaos_change");
  const ended = tasks.filter(({ completed_at }) => completed_at !== null);
  return {
    ...historyOf(tasks as unknown as HistoryTask[], entries as unknown as HistoryEntry[]),
    faults: [
      ...moves.flatMap(({ move }) =>
        ALLOWED_TRANSITIONS.has(String(move)) ? [] : [`a task went ${String(move)}`],
      ),
      ...changes.map(({ what }) => `changed: ${String(what)}`),
    ],
    endings: endings.map(({ at }) => Number(at)),
    durations: ended
      .filter(({ asked }) => asked === 0)
      .map((row) => Number(row["completed_at"]) - Number(row["created_at"]))
      .toSorted((a, b) => a - b),
    sessions: await readSessions(rows),
    losses: (
      await rows(
        "select task_id, member, silent_ms, loss.at from chaos_loss as loss left join chaos_worker on id = worker",
      )
    ).map((row) => ({
      taskId: String(row["task_id"]),
      at: Number(row["at"]),
      owner: String(row["member"]),
      silentMs: row["silent_ms"] === null ? null : Number(row["silent_ms"]),
    })),
    heartbeats: (
      await rows(
        "select member, sent, beat.at from chaos_heartbeat as beat join chaos_worker on id = worker order by beat.at",
      )
    ).map((row) => ({ member: String(row["member"]), sent: Number(row["sent"]), at: Number(row["at"]) })),
  };
}

async function readSessions(rows: (sql: string) => Promise<Row[]>): Promise<ClusterSession[]> {
  const sessions = await rows("select id, team_id, status, completed_at, last_seq from session order by id");
  const messages = await rows(
    "select session_id, seq, id, content from session_message order by session_id, seq",
  );
  const logs = new Map<string, Row[]>();
  for (const row of messages) {
    const id = String(row["session_id"]);
    logs.set(id, [...(logs.get(id) ?? []), row]);
  }
  return sessions.map((row) => ({
    id: String(row["id"]),
    teamId: String(row["team_id"]),
    status: String(row["status"]),
    completedAt: Number(row["completed_at"]),
    lastSeq: Number(row["last_seq"]),
    log: (logs.get(String(row["id"])) ?? []).map((message) => ({
      seq: Number(message["seq"]),
      id: String(message["id"]),
      text: String((JSON.parse(String(message["content"])) as { text?: unknown }).text),
    })),
  }));
}

/** Status and id of every task and session that has not ended. */
export async function openWork(url: string): Promise<string[]> {
  const rows = await sqlOnServer(
    url,
    `select status || ':' || id as open from task
       where lane = 'task' and status not in ('completed', 'failed', 'cancelled', 'rejected')
     union all select status || ':' || id from session where status in ('waiting', 'active')`,
  );
  return rows.map((row) => String(row["open"]));
}
