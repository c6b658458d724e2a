import type { EngineStore, GroupEntry, NewTask, RunGroup } from "../../engine/store.ts";
import type { Db, Statement } from "../db.ts";
import { claimKey, existingTask, insertTask } from "./insert-task.ts";
import { type EventOwners, RUN_EVENT_CHANNEL, startedEvent } from "./run-events.ts";
import { FINAL } from "./task-sql.ts";

const OPEN_TASK = `exists (select 1 from task as t where t.id = m.task_id and t.status not in ${FINAL})`;
const MEMBERS = `from run_group_member as m where m.group_key = $group`;
const RUNNING = `(select count(*) ${MEMBERS} and m.state = 'running' and ${OPEN_TASK})`;
const WAITING = `(select count(*) ${MEMBERS} and m.state = 'waiting' and ${OPEN_TASK})`;

/** Batches of one group come one after the other: each sees the members that the one before has stored. */
function lockGroup(group: string, now: number): Statement {
  return {
    sql: `insert into run_group (group_key, locked_at) values ($group, $now)
          on conflict (group_key) do update set locked_at = excluded.locked_at`,
    params: { group, now },
  };
}

/** A refused call may be sent again with the same key. */
function releaseKey({ id, idempotency }: NewTask): Statement {
  return {
    sql: `delete from idempotency where scope = $scope and key = $key and task_id = $id
            and not exists (select 1 from run_group_member where task_id = $id)`,
    params: { id, scope: idempotency!.scope, key: idempotency!.key },
  };
}

/** Runs that count together for a limit. A member waits until an earlier one has ended. */
export function createRunGroupStore(
  db: Db,
  eventOwners: EventOwners,
): Pick<EngineStore, "enterGroup" | "promoteGroups" | "replacedTasks"> {
  function addMember(task: NewTask, group: RunGroup): Statement {
    const { idempotency } = task;
    const ownsKey =
      idempotency === undefined
        ? "true"
        : "exists (select 1 from idempotency where scope = $scope and key = $key and task_id = $id)";
    return {
      sql: `insert into run_group_member (task_id, group_key, owner_id, max_running, state, created_at)
            select $id, $group, $ownerId, cast($limit as bigint),
              case when $whenFull = 'replace' or ${RUNNING} < cast($limit as bigint) then 'running' else 'waiting' end, cast($now as bigint)
            where ${ownsKey} and ($whenFull <> 'skip' or ${RUNNING} < cast($limit as bigint)) and ${WAITING} < cast($maxWaiting as bigint)
            on conflict do nothing returning state`,
      params: {
        id: task.id,
        ownerId: task.ownerId,
        group: group.key,
        limit: group.limit,
        whenFull: group.whenFull,
        maxWaiting: group.maxWaiting,
        now: task.createdAt,
        scope: idempotency?.scope ?? null,
        key: idempotency?.key ?? null,
      },
    };
  }

  /** The newest `limit` members stay. */
  function replaceOldest(task: NewTask, { key, limit }: RunGroup): Statement {
    return {
      sql: `update run_group_member set state = 'replaced'
            where group_key = $group and state in ('running', 'waiting')
              and exists (select 1 from run_group_member as mine where mine.task_id = $id)
              and task_id not in (select m.task_id ${MEMBERS} and m.state in ('running', 'waiting') and ${OPEN_TASK}
                order by m.created_at desc, m.task_id desc limit $limit)`,
      params: { group: key, id: task.id, limit },
    };
  }

  return {
    async enterGroup(task, group): Promise<GroupEntry> {
      const now = task.createdAt;
      const first = [lockGroup(group.key, now), ...(task.idempotency === undefined ? [] : [claimKey(task)])];
      const statements = [
        ...first,
        addMember(task, group),
        ...insertTask(task, undefined, "exists (select 1 from run_group_member where task_id = $1)"),
        {
          sql: `update task set run_at = $now where id = $id and exists (select 1 from run_group_member where task_id = $id and state = 'running')`,
          params: { id: task.id, now },
        },
        ...(group.whenFull === "replace" ? [replaceOldest(task, group)] : []),
        ...(task.idempotency === undefined ? [] : [releaseKey(task)]),
        ...(eventOwners.has(task.ownerId) ? [startedEvent(task)] : []),
      ];
      const rows = await db.batch(statements, { alone: true });
      if (eventOwners.has(task.ownerId)) db.notify(RUN_EVENT_CHANNEL, "");
      const entered = rows[first.length]?.[0];
      if (entered !== undefined) return { entered: true };
      return { entered: false, existing: await existingTask(db, task) };
    },

    async replacedTasks(limit) {
      const rows = await db.query(
        `select m.task_id from run_group_member as m where m.state = 'replaced' and ${OPEN_TASK} limit $limit`,
        { limit },
      );
      return rows.map((row) => row["task_id"] as string);
    },

    async promoteGroups(limit, now) {
      const groups = await db.query<{ group_key: string }>(
        `select distinct m.group_key from run_group_member as m where not ${OPEN_TASK} limit $limit`,
        { limit },
      );
      for (const { group_key: group } of groups) {
        await db.batch(
          [
            lockGroup(group, now),
            {
              sql: `delete from run_group_member where group_key = $group
                      and not exists (select 1 from task as t where t.id = task_id and t.status not in ${FINAL})`,
              params: { group },
            },
            {
              sql: `update run_group_member set state = 'running' where task_id in (
                      select task_id from (
                        select m.task_id, m.max_running, row_number() over (order by m.created_at, m.task_id) as place,
                          (select count(*) from run_group_member as r where r.group_key = $group and r.state = 'running') as running
                        ${MEMBERS} and m.state = 'waiting') as waiting
                      where place + running <= max_running)`,
              params: { group },
            },
            {
              // Only tasks that no process has claimed yet: one in quarantine is not due either.
              sql: `update task set run_at = $now where status = 'queued' and run_at is null and started_at is null
                      and id in (select task_id from run_group_member where group_key = $group and state = 'running')`,
              params: { group, now },
            },
            {
              sql: "delete from run_group where group_key = $group and not exists (select 1 from run_group_member where group_key = $group)",
              params: { group },
            },
          ],
          { alone: true },
        );
      }
      return groups.length;
    },
  };
}
