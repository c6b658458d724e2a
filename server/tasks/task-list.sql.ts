import type { PageQuery } from "../../contract/api.ts";
import type { TaskFilter } from "../../contract/task-list.ts";
import { type TaskStatus, taskStatusSchema } from "../../contract/tasks.ts";
import { firstIdAt } from "../lib/ids.ts";
import { type ResultPage, toResultPage } from "../lib/result-page.ts";
import type { Db, SqlValue } from "../storage/db.ts";
import { toTask } from "../storage/engine/task-rows.ts";
import { AFTER_EVERY_ID } from "../storage/paging.ts";
import { SUMMARY_COLUMNS } from "./task-columns.sql.ts";
import type { TaskSummary } from "./task-view.ts";

/**
 * One request reads at most this many rows of an index, about 30 ms. A filter that few tasks match returns a short page
 * with a cursor, instead of reading a million tasks.
 */
const SCANNED = 20_000;
/** A status with more tasks is shown as "1,000+". */
const COUNTED = 1000;
/** As `SCANNED`, for each of the eight statuses. */
const SCANNED_PER_COUNT = 5000;

/** Hides the tasks that run sessions and ingestion, whose ids are those of their records. Compares ids because the index covers them. */
const FIRST_TASK_ID = "task_";

/** Options with more are not read: twenty thousand rows are checked, and the outputs in each may have megabytes. */
const MAX_OPTIONS_BYTES = 20_000;

/** A run of several chosen steps is none: so the page runs the complete part of an unfinished draft. */
const IS_STEP_TEST = `case when trigger = 'partial' and (octet_length(options) > ${MAX_OPTIONS_BYTES}
  or coalesce(options, '') not like '{"stepIds":["%","%"],"outputs":%') then 1 else 0 end as is_step_test`;

/** Without input and result: a large one would be read with the row. */
const CHECKED_COLUMNS = `${IS_STEP_TEST}, id, owner_id, workflow_id, workflow_version, status, trigger, error, parent_task_id,
  created_at, started_at, completed_at`;

type Params = Record<string, SqlValue>;

/** Conditions that an index serves, and those that are checked row by row. */
interface Query {
  indexed: string[];
  checked: string[];
  params: Params;
}

export type TaskListStore = ReturnType<typeof createTaskListStore>;

export function createTaskListStore(db: Db, scanned = SCANNED) {
  /** The newest `$limit` matches among the newest rows of the index. */
  function select(columns: string, query: Query, status: TaskStatus | undefined, most = scanned): string {
    const indexed = status === undefined ? query.indexed : [...query.indexed, ...isStatus(status)];
    const from = `from task where ${indexed.join(" and ")} order by id desc limit`;
    if (query.checked.length === 0) return `select ${columns} ${from} $limit`;
    return `select ${columns} from (select ${CHECKED_COLUMNS} ${from} ${most}) as candidate
      where ${query.checked.join(" and ")} order by id desc limit $limit`;
  }

  /** The oldest row that was read, when the index has more; undefined when all were read. */
  async function lastScanned(query: Query, statuses: readonly (TaskStatus | undefined)[], most = scanned) {
    let newest: string | undefined;
    for (const status of statuses) {
      const indexed = status === undefined ? query.indexed : [...query.indexed, ...isStatus(status)];
      const [row] = await db.query(
        `select min(id) as id, count(*) as count from
           (select id from task where ${indexed.join(" and ")} order by id desc limit ${most}) as candidate`,
        query.params,
      );
      const id = row?.["id"] as string | null;
      // With several indexes, the one that was read least far decides.
      if (Number(row?.["count"]) === most && id !== null && (newest === undefined || id > newest))
        newest = id;
    }
    return newest;
  }

  return {
    async list(ownerId: string, filter: TaskFilter & PageQuery): Promise<ResultPage<TaskSummary>> {
      const { limit, cursor } = filter;
      const query = queryOf(ownerId, filter, cursor, filter.status !== undefined);
      const statuses = filter.status ?? [undefined];
      // The index has the rows of one status in order: each status is read by itself.
      const parts = statuses.map(
        (status) => `select * from (${select(SUMMARY_COLUMNS, query, status)}) as part`,
      );
      const rows = await db.query(`${parts.join(" union all ")} order by id desc limit $limit`, {
        ...query.params,
        limit: limit + 1,
      });
      const isFull = rows.length > limit && statuses.length === 1;
      const oldest = query.checked.length === 0 || isFull ? undefined : await lastScanned(query, statuses);
      // One status may be read less far than the others: its older rows come with the next page.
      const items = rows.map(toTask).filter(({ id }) => oldest === undefined || id >= oldest);
      const page = toResultPage(items, limit, ({ id }) => id);
      return { ...page, nextCursor: page.nextCursor ?? oldest ?? null };
    },

    /** Tasks by status, without regard to the status of the filter. */
    async count(ownerId: string, filter: TaskFilter) {
      const query = queryOf(ownerId, filter, undefined, true);
      const counts: Partial<Record<TaskStatus, number>> = {};
      const atLeast: TaskStatus[] = [];
      const most = Math.min(scanned, SCANNED_PER_COUNT);
      for (const status of taskStatusSchema.options) {
        const [row] = await db.query(
          `select count(*) as count from (${select("1 as one", query, status, most)}) as found`,
          {
            ...query.params,
            limit: COUNTED,
          },
        );
        const count = Number(row?.["count"]);
        if (count > 0) counts[status] = count;
        const isCut = query.checked.length > 0 && (await lastScanned(query, [status], most)) !== undefined;
        if (count === COUNTED || isCut) atLeast.push(status);
      }
      return { counts, atLeast };
    },
  };
}

/** The partial index over open tasks serves a query only if its own condition is spelled out. */
function isStatus(status: TaskStatus): string[] {
  return [`status = '${status}'`, ...(status === "completed" ? [] : ["status <> 'completed'"])];
}

function queryOf(
  ownerId: string,
  filter: TaskFilter,
  cursor: string | undefined,
  isByStatus: boolean,
): Query {
  const params: Params = { ownerId, cursor: cursor ?? AFTER_EVERY_ID, from: FIRST_TASK_ID };
  const indexed = ["owner_id = $ownerId", "id < $cursor", "id > $from"];
  const checked: string[] = [];
  // Ids begin with the time of creation.
  if (filter.from !== undefined) params["from"] = firstIdAt("task", Date.parse(filter.from));
  if (filter.to !== undefined) {
    params["to"] = firstIdAt("task", Date.parse(filter.to));
    indexed.push("id < $to");
  }
  if (filter.workflowId !== undefined) {
    params["workflowId"] = filter.workflowId;
    // With a status the index of that status is read, which has no workflow.
    (isByStatus ? checked : indexed).push("workflow_id = $workflowId");
  }
  const check = (name: string, value: SqlValue, condition: string): void => {
    params[name] = value;
    checked.push(condition);
  };
  const { trigger, version, minMs, maxMs, error, q } = filter;
  if (trigger !== undefined) check("trigger", trigger, "trigger = $trigger");
  if (filter.stepTests === "false") checked.push("is_step_test = 0");
  if (version !== undefined) check("version", version, "workflow_version = $version");
  if (minMs !== undefined) check("minMs", minMs, "completed_at - started_at >= $minMs");
  if (maxMs !== undefined) check("maxMs", maxMs, "completed_at - started_at <= $maxMs");
  if (error !== undefined) check("error", likeJson(error), `lower(error) like $error escape '\\'`);
  if (q !== undefined) {
    params["id"] = like(q.replace(/^#/, ""));
    params["name"] = like(q);
    check(
      "q",
      likeJson(q),
      `(id like $id escape '\\' or lower(error) like $q escape '\\' or workflow_id in
         (select w.id from workflow as w where w.owner_id = $ownerId and lower(w.name) like $name escape '\\'))`,
    );
  }
  return { indexed, checked, params };
}

function like(text: string): string {
  return `%${text.toLowerCase().replaceAll(/[\\%_]/g, "\\$&")}%`;
}

/** Errors are stored as JSON, in which quotes and line breaks are escaped. */
function likeJson(text: string): string {
  return like(JSON.stringify(text).slice(1, -1));
}
