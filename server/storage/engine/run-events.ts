import type { EventType } from "../../../contract/events.ts";
import type { ApprovalDecision } from "../../engine/approval-store.ts";
import type { RunWrite, TaskChange } from "../../engine/store.ts";
import { TASK_LANE } from "../../engine/worker/lane.ts";
import type { SqlValue, Statement } from "../db.ts";

/** The channel that announces new rows in `run_event`. */
export const RUN_EVENT_CHANNEL = "run_event";

/** Which owners have subscribed to events, known without a query: a call of any other owner writes and reads nothing more. */
export interface EventOwners {
  has(ownerId: string): boolean;
}

export const NO_EVENT_OWNERS: EventOwners = { has: () => false };

const TYPES: Partial<Record<TaskChange["status"], EventType>> = {
  completed: "baton.run.completed",
  failed: "baton.run.failed",
  rejected: "baton.run.rejected",
  cancelled: "baton.run.cancelled",
};

/** Selecting from the task stores nothing for a run that has lost it, or whose task was not inserted. */
const INSERT_EVENT = `
  insert into run_event (id, owner_id, task_id, type, data, at)
  select $eventId, owner_id, id, $type, $data, cast($at as bigint) from task
  where id = $id and epoch = $epoch and lane = '${TASK_LANE}' on conflict do nothing`;

export function startedEvent({
  id,
  epoch,
  createdAt,
}: {
  id: string;
  epoch: number;
  createdAt: number;
}): Statement {
  return insertEvent({ id, epoch }, 0, "baton.run.started", null, createdAt);
}

/** Written for every owner: members are notified of them. */
const NOTIFIED: ReadonlySet<EventType> = new Set(["baton.run.failed", "baton.approval.requested"]);

/**
 * The events of one write of a run: the task's end, or a request for approval. Of an owner without a subscription, only
 * those that members are notified of; the failure of a sub-workflow is that of its parent.
 */
export function pushRunEvents(
  statements: Statement[],
  { task: { id, epoch }, entries, change, openApproval, wakeTask }: RunWrite,
  isSubscribed: boolean,
): void {
  const last = entries.at(-1);
  if (last === undefined) return;
  const task = { id, epoch };
  if (openApproval !== undefined) {
    const { path, message, context, dueAt, approvers } = openApproval;
    const data = JSON.stringify({ stepId: path, message, context, dueAt, ...(approvers && { approvers }) });
    for (const type of ["baton.run.waiting_approval", "baton.approval.requested"] as const)
      if (isSubscribed || NOTIFIED.has(type))
        statements.push(insertEvent(task, last.seq, type, data, last.at));
  }
  const type = change === undefined ? undefined : TYPES[change.status];
  if (type !== undefined && (isSubscribed || (NOTIFIED.has(type) && wakeTask === undefined))) {
    const data = change?.error ? JSON.stringify({ error: change.error }) : null;
    statements.push(insertEvent(task, last.seq, type, data, last.at));
  }
}

/** The number of the journal entry makes the id the same when the write is repeated. */
function insertEvent(
  task: { id: string; epoch: number },
  seq: number,
  type: EventType,
  data: string | null,
  at: number,
): Statement {
  return { sql: INSERT_EVENT, params: { ...task, eventId: eventId(task.id, seq, type), type, data, at } };
}

function eventId(taskId: string, seq: number | string, type: EventType): string {
  return `${taskId}.${seq}.${type.slice("baton.".length)}`;
}

const HAS_SUBSCRIBED =
  "exists (select 1 from event_subscription as s where s.owner_id = t.owner_id and s.active = 1)";

/**
 * The events of tasks that were cancelled, or failed, at `$now` by the statements before this one. Ends outside a run are
 * rare, so the database decides who has subscribed. `members` is a condition on the task `t`.
 */
export function endedEvents(members: string, params: Statement["params"] & object, withSql = ""): Statement {
  return {
    sql: `${withSql}
          insert into run_event (id, owner_id, task_id, type, data, at)
          select t.id || '.' || cast(j.seq as text) || '.run.' || t.status, t.owner_id, t.id, 'baton.run.' || t.status,
            case when t.error is null then null else '{"error":' || t.error || '}' end, j.at
          from task as t join journal as j on j.task_id = t.id and j.epoch = t.epoch and j.kind = 'status'
          where ${members} and t.status in ('failed', 'cancelled') and t.completed_at = $now
            and t.lane = '${TASK_LANE}' and ((t.status = 'failed' and t.parent_step is null) or ${HAS_SUBSCRIBED})
          on conflict do nothing returning id as event_id`,
    params,
  };
}

/** The event of the decision that the statement before this one has stored. */
export function decidedEvent(
  taskId: string,
  path: string,
  { decision, comment, decidedBy, decidedAt }: ApprovalDecision,
): Statement {
  const type = "baton.approval.decided";
  return {
    sql: `insert into run_event (id, owner_id, task_id, type, data, at)
          select $eventId, t.owner_id, t.id, $type, $data, cast($decidedAt as bigint)
          from task as t join approval as a on a.task_id = t.id
          where t.id = $taskId and a.path = $path and a.decided_at = $decidedAt and a.decided_by = $decidedBy and ${HAS_SUBSCRIBED}
          on conflict do nothing returning id`,
    params: {
      eventId: eventId(taskId, `${path}.${decidedAt}`, type),
      type,
      data: JSON.stringify({ stepId: path, decision, comment, decidedBy }),
      taskId,
      path,
      decidedAt,
      decidedBy,
    },
  };
}

/** An event that is about no run. `onlyIf` is a condition with the names of its `params`. */
export function workspaceEvent(
  event: {
    id: string;
    ownerId: string;
    type: EventType;
    data: Record<string, unknown>;
    at: number;
    count?: number;
  },
  onlyIf: { sql: string; params: Readonly<Record<string, SqlValue>> },
): Statement {
  const { count = 1, data, id: eventId, ownerId, type, at: eventAt } = event;
  return {
    sql: `insert into run_event (id, owner_id, type, data, count, at)
          select $eventId, $ownerId, $type, $data, cast($count as bigint), cast($eventAt as bigint)
          where ${onlyIf.sql} on conflict do nothing returning id`,
    params: { ...onlyIf.params, eventId, ownerId, type, data: JSON.stringify(data), count, eventAt },
  };
}
