import type { EventType } from "../../contract/events.ts";
import { isRecord } from "../../contract/placeholders/json-value.ts";
import { insertDelivery, type NewOutboxDelivery } from "../outbox/outbox-delivery.sql.ts";
import type { Db, Row, Statement } from "../storage/db.ts";
import { isTestRun } from "../storage/engine/test-runs.ts";
import { parseJson } from "../lib/lenient-parse.ts";

/** A stored event. */
export interface RunEvent {
  id: string;
  ownerId: string;
  type: EventType;
  at: number;
  /** How many of the same event it stands for. */
  count: number;
  /** What the task may have lost since: the error, the question, the decision. */
  data: Record<string, unknown>;
  /** Null for an event of a connection or a limit. */
  task: EventTask | null;
}

/** The task as it is now. */
export interface EventTask {
  id: string;
  workflowId: string;
  workflowName: string | null;
  workflowVersion: number;
  trigger: string;
  /** A test made in the editor, or started by one. */
  isTest: boolean;
  parentTaskId: string | null;
  /** The step of the parent that waits for this task. */
  parentStep: string | null;
  createdAt: number;
  result: unknown;
  /** The result is too large for an event. */
  resultOmitted: boolean;
}

/** Stored together with the move of the events, while these are locked. */
export type EventWrite = Statement;

export type RunEventStore = ReturnType<typeof createRunEventStore>;

const MAX_RESULT_CHARACTERS = 65_536;

/** The events between the write that they report and the outbox. */
export function createRunEventStore(db: Db) {
  return {
    /** The oldest events; those whose task was deleted have only an id. */
    async oldest(limit: number): Promise<{ ids: string[]; events: RunEvent[] }> {
      const rows = await db.query(
        `select e.*, t.workflow_id, t.workflow_version, t.trigger, t.parent_task_id, t.parent_step, t.created_at as task_created_at,
           w.name as workflow_name, case when ${isTestRun("t")} then 1 else 0 end as is_test,
           case when length(t.result) <= ${MAX_RESULT_CHARACTERS} then t.result end as result,
           case when t.result_ref is not null or length(t.result) > ${MAX_RESULT_CHARACTERS} then 1 else 0 end as result_omitted
         from run_event as e left join task as t on t.id = e.task_id left join workflow as w on w.id = t.workflow_id
         order by e.at, e.id limit $limit`,
        { limit },
      );
      return {
        ids: rows.map((row) => row["id"] as string),
        events: rows.filter((row) => row["task_id"] === null || row["workflow_id"] !== null).map(toEvent),
      };
    },

    /** Replaces the events by their messages and `writes`. An event that another process has replaced adds no message. */
    async moveToOutbox(
      ids: readonly string[],
      messages: readonly { eventId: string; delivery: NewOutboxDelivery }[],
      now: number,
      writes: readonly EventWrite[] = [],
    ): Promise<void> {
      const params = { ids: JSON.stringify(ids) };
      const isMember = "id in (select value from json_each(cast($ids as text)))";
      await db.batch(
        [
          // The lock makes a second process wait here, and then find the events gone.
          { sql: `select id from run_event where ${isMember} order by id /*for-update*/`, params },
          ...messages.map(({ eventId, delivery }) =>
            insertDelivery(delivery, now, {
              sql: "exists (select 1 from run_event where id = $eventId)",
              params: { eventId },
            }),
          ),
          ...writes,
          { sql: `delete from run_event where ${isMember}`, params },
        ],
        { alone: true },
      );
    },
  };
}

function toEvent(row: Row): RunEvent {
  const data = json(row["data"]);
  return {
    id: row["id"] as string,
    ownerId: row["owner_id"] as string,
    type: row["type"] as EventType,
    at: Number(row["at"]),
    count: Number(row["count"]),
    data: isRecord(data) ? data : {},
    task: row["task_id"] === null ? null : toTask(row),
  };
}

function toTask(row: Row): EventTask {
  return {
    id: row["task_id"] as string,
    workflowId: row["workflow_id"] as string,
    workflowName: row["workflow_name"] as string | null,
    workflowVersion: Number(row["workflow_version"]),
    trigger: row["trigger"] as string,
    isTest: Number(row["is_test"]) === 1,
    parentTaskId: row["parent_task_id"] as string | null,
    parentStep: row["parent_step"] as string | null,
    createdAt: Number(row["task_created_at"]),
    result: json(row["result"]),
    resultOmitted: Number(row["result_omitted"]) === 1,
  };
}

/** One damaged row must not stop all events. */
function json(text: unknown): unknown {
  return typeof text === "string" ? (parseJson(text) ?? null) : null;
}
