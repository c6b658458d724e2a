import type { Db, Row, SqlValue, Statement } from "../storage/db.ts";

/** Who started which task over A2A. */
export interface A2aTaskRecord {
  /** The id of the Baton task, or of an exchange of a session. */
  id: string;
  ownerId: string;
  /** The team or the workflow. */
  agentId: string;
  caller: string;
  contextId: string;
  /** The first entry of an exchange in the log of its session. */
  seq: number | null;
  createdAt: number;
  /** The id of the last question that the caller has seen. */
  shown: string | null;
}

/** The task of an approval, or a task that waits for one. */
export interface Question {
  taskId: string;
  path: string;
  message: string;
  /** JSON of the data shown with the question. */
  context: string | null;
  requestedAt: number;
}

/** A message between the caller and a workflow. */
export interface A2aMessageRecord {
  id: string;
  ownerId: string;
  taskId: string;
  role: "user" | "agent";
  messageId: string;
  /** ProtoJSON of the parts. */
  parts: unknown[];
  createdAt: number;
}

export interface TaskFilter {
  agentId: string;
  caller: string;
  contextId: string | undefined;
  /** As the table of the task stores them. */
  statuses: readonly string[] | undefined;
  statusAfter: number | undefined;
  /** The last task of the page before. */
  before: TaskPosition | undefined;
  limit: number;
}

/** Tasks are listed by the time of their last change, then by id. */
export interface TaskPosition {
  at: number;
  id: string;
}

export interface ListedTasks {
  positions: TaskPosition[];
  total: number;
}

export type A2aTaskStore = ReturnType<typeof createA2aTaskStore>;

/** A caller over A2A is not a member of the workspace, so it is not asked what members must decide. */
const IS_ASKED = "p.decided_at is null and p.approvers is null and p.required_approvals = 1";

const OWN_TASKS = "a2a_task where agent_id = $agentId and caller = $caller";

const WORKFLOW_TASKS = `
  select a.id, a.context_id,
    case
      when t.status in ('completed', 'failed', 'cancelled', 'rejected') then t.status
      when exists (select 1 from approval as p where p.task_id = t.id and ${IS_ASKED}) then 'waiting_approval'
      when t.status = 'waiting_approval' then 'running'
      else t.status end as status,
    coalesce(t.completed_at,
      (select max(p.requested_at) from approval as p where p.task_id = t.id and ${IS_ASKED}),
      t.started_at, t.created_at) as status_at
  from (select * from ${OWN_TASKS}) as a join task as t on t.id = a.id`;

/** The entries of the exchange: up to the next message from outside that continues none. */
const IN_EXCHANGE =
  "m.session_id = a.context_id and m.seq >= a.seq and (a.next_seq is null or m.seq < a.next_seq)";
const EXCHANGES = `
  select a.id, a.context_id,
    case
      when a.next_seq is not null then
        case when exists (select 1 from session_message as m where ${IN_EXCHANGE} and m.type = 'error')
            and not exists (select 1 from session_message as m where ${IN_EXCHANGE} and m.type = 'agent_result')
          then 'failed' else 'completed' end
      when s.status in ('active', 'completed') and exists (
        select 1 from task as c join approval as p on p.task_id = c.id
        where c.parent_task_id = s.id and c.parent_step is not null and c.status = 'waiting_approval'
          and ${IS_ASKED})
        then 'waiting_approval'
      else s.status end as status,
    (select max(m.created_at) from session_message as m where ${IN_EXCHANGE}) as status_at
  from (
    select e.*, (
      select min(m.seq) from session_message as m
      where m.session_id = e.context_id and m.seq > e.seq and m.outside = 1 and m.continues is null) as next_seq
    from (select * from ${OWN_TASKS}) as e) as a
  join session as s on s.id = a.context_id and s.owner_id <> ''`;

export function createA2aTaskStore(db: Db) {
  /** One page and the number of all matching tasks: a caller's tasks are few, and retention removes old ones. */
  async function list(
    tasks: string,
    { agentId, caller, contextId, statuses, statusAfter, before, limit }: TaskFilter,
  ): Promise<ListedTasks> {
    const conditions = ["1 = 1"];
    const params: Record<string, SqlValue> = { agentId, caller };
    if (contextId !== undefined) {
      conditions.push("context_id = $contextId");
      params["contextId"] = contextId;
    }
    if (statuses !== undefined) {
      conditions.push("status in (select value from json_each(cast($statuses as text)))");
      params["statuses"] = JSON.stringify(statuses);
    }
    if (statusAfter !== undefined) {
      conditions.push("status_at >= $statusAfter");
      params["statusAfter"] = statusAfter;
    }
    const matching = `(${tasks}) as found where ${conditions.join(" and ")}`;
    const [rows, [counted]] = await Promise.all([
      db.query(
        `select id, status_at from ${matching} and (status_at < $at or (status_at = $at and id < $id))
         order by status_at desc, id desc limit $limit`,
        { ...params, at: before?.at ?? Number.MAX_SAFE_INTEGER, id: before?.id ?? "", limit },
      ),
      db.query(`select count(*) as total from ${matching}`, params),
    ]);
    return {
      positions: rows.map((row) => ({ id: row["id"] as string, at: Number(row["status_at"]) })),
      total: Number(counted?.["total"] ?? 0),
    };
  }

  return {
    /** A repetition stores nothing. */
    async insert(
      { id, ownerId, agentId, caller, contextId, seq, createdAt }: Omit<A2aTaskRecord, "shown">,
      messages: readonly A2aMessageRecord[] = [],
    ): Promise<void> {
      await db.batch([
        {
          sql: `insert into a2a_task (id, owner_id, agent_id, caller, context_id, seq, created_at)
                values ($id, $ownerId, $agentId, $caller, $contextId, $seq, $createdAt) on conflict do nothing`,
          params: { id, ownerId, agentId, caller, contextId, seq, createdAt },
        },
        ...messages.map(insertMessage),
      ]);
    },

    /** The caller sees this question now: its next answer decides no other one. */
    async setShown(id: string, questionId: string): Promise<void> {
      await db.batch([
        { sql: "update a2a_task set shown = $questionId where id = $id", params: { id, questionId } },
      ]);
    },

    /** A message with a known id of its task is not stored again. */
    insertMessages: async (messages: readonly A2aMessageRecord[]): Promise<void> => {
      await db.batch(messages.map(insertMessage));
    },

    async messages(taskId: string): Promise<A2aMessageRecord[]> {
      const rows = await db.query("select * from a2a_message where task_id = $taskId order by id", {
        taskId,
      });
      return rows.map(toMessage);
    },

    /** Undefined for a task of another agent or caller. */
    async find(id: string, agentId: string, caller: string): Promise<A2aTaskRecord | undefined> {
      const [row] = await db.query(
        "select * from a2a_task where id = $id and agent_id = $agentId and caller = $caller",
        { id, agentId, caller },
      );
      return row === undefined ? undefined : toRecord(row);
    },

    listWorkflowTasks: (filter: TaskFilter) => list(WORKFLOW_TASKS, filter),
    listExchanges: (filter: TaskFilter) => list(EXCHANGES, filter),

    /** The oldest open approval of a task. */
    async questionOfTask(taskId: string): Promise<Question | undefined> {
      const [row] = await db.query(
        `select p.task_id, p.path, p.message, p.context, p.requested_at from approval as p
         where p.task_id = $taskId and ${IS_ASKED} order by p.requested_at, p.path limit 1`,
        { taskId },
      );
      return row === undefined ? undefined : toQuestion(row);
    },

    /** The oldest open approval of the workflows that agents of a session run. */
    async questionOfSession(sessionId: string): Promise<Question | undefined> {
      const [row] = await db.query(
        `select p.task_id, p.path, p.message, p.context, p.requested_at
         from task as c join approval as p on p.task_id = c.id
         where c.parent_task_id = $sessionId and c.parent_step is not null and c.status = 'waiting_approval'
           and ${IS_ASKED} order by p.requested_at, p.path limit 1`,
        { sessionId },
      );
      return row === undefined ? undefined : toQuestion(row);
    },
  };
}

function toRecord(row: Row): A2aTaskRecord {
  return {
    id: row["id"] as string,
    ownerId: row["owner_id"] as string,
    agentId: row["agent_id"] as string,
    caller: row["caller"] as string,
    contextId: row["context_id"] as string,
    seq: row["seq"] === null ? null : Number(row["seq"]),
    createdAt: Number(row["created_at"]),
    shown: row["shown"] as string | null,
  };
}

/** Different for every time that a step asks. */
export function questionId({ taskId, path, requestedAt }: Question): string {
  return `${taskId}.${path}.${requestedAt}`;
}

function toQuestion(row: Row): Question {
  return {
    taskId: row["task_id"] as string,
    path: row["path"] as string,
    message: row["message"] as string,
    context: row["context"] as string | null,
    requestedAt: Number(row["requested_at"]),
  };
}

function insertMessage(message: A2aMessageRecord): Statement {
  return {
    sql: `insert into a2a_message (id, owner_id, task_id, role, message_id, parts, created_at)
          values ($id, $ownerId, $taskId, $role, $messageId, $parts, $createdAt) on conflict do nothing`,
    params: { ...message, parts: JSON.stringify(message.parts) },
  };
}

function toMessage(row: Row): A2aMessageRecord {
  return {
    id: row["id"] as string,
    ownerId: row["owner_id"] as string,
    taskId: row["task_id"] as string,
    role: row["role"] as A2aMessageRecord["role"],
    messageId: row["message_id"] as string,
    parts: JSON.parse(row["parts"] as string) as unknown[],
    createdAt: Number(row["created_at"]),
  };
}
