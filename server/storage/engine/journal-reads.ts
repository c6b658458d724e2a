import { stepTypes } from "../../../contract/steps/catalogue.ts";
import { sizeOfRef } from "../../engine/journal/outputs.ts";
import type { EngineStore, EntryLogs, StoredOutput } from "../../engine/store.ts";
import type { Db, Row } from "../db.ts";
import { extraOf, toAttempt, toEntry } from "./journal-rows.ts";

/** Types whose output a restored run needs, because it determines which edges were taken. */
const BRANCHING_TYPES = `(${stepTypes
  .filter(({ traits }) => traits.branching !== undefined)
  .map(({ type }) => `'${type}'`)
  .join(", ")})`;

const FINAL_UNDER_PREFIX = `where task_id = $taskId and kind = 'step' and final = 1 and status <> 'skipped'
  and substr(path, 1, length(cast($prefix as text))) = $prefix`;

type JournalReads = Pick<
  EngineStore,
  | "heads"
  | "entries"
  | "attempts"
  | "logs"
  | "lastSeq"
  | "outputs"
  | "outputBytes"
  | "finalOutputs"
  | "finalOutputBytes"
  | "items"
>;

export function createJournalReads(db: Db): JournalReads {
  return {
    async heads(taskId, afterSeq = 0, limit = Number.MAX_SAFE_INTEGER) {
      const rows = await db.query(
        `select task_id, seq, kind, path, type, status, attempt, final, output_ref, error, due, started_at, at,
           case when kind = 'rerun' or type in ${BRANCHING_TYPES} then output end as output,
           coalesce(octet_length(input), 0) + coalesce(octet_length(output), 0) as bytes
         from journal where task_id = $taskId and seq > $afterSeq order by seq limit $limit`,
        { taskId, afterSeq, limit },
      );
      return rows.map((row) => ({ ...toEntry(row), bytes: Number(row["bytes"]) }));
    },

    async entries(taskId, afterSeq, limit) {
      const rows = await db.query(
        "select * from journal where task_id = $taskId and seq > $afterSeq order by seq limit $limit",
        { taskId, afterSeq, limit },
      );
      return rows.map(toEntry);
    },

    async attempts(taskId, path, beforeSeq, limit) {
      const rows = await db.query(
        `select * from journal
         where task_id = $taskId and path = $path and kind in ('attempt', 'step') and status <> 'skipped' and seq < $beforeSeq
         order by seq desc limit $limit`,
        { taskId, path, beforeSeq, limit },
      );
      return rows.map(toAttempt);
    },

    async logs(taskId, afterSeq, lastSeq) {
      const rows = await db.query(
        `select task_id, seq, kind, path, extra from journal
         where task_id = $taskId and seq > $afterSeq and seq <= $lastSeq and extra like '%"logs":%' order by seq`,
        { taskId, afterSeq, lastSeq },
      );
      return rows.flatMap((row) => {
        const lines = extraOf(row)?.["logs"] as EntryLogs["lines"] | undefined;
        return lines === undefined ? [] : [{ seq: Number(row["seq"]), path: row["path"] as string, lines }];
      });
    },

    async lastSeq(taskId) {
      const [row] = await db.query("select max(seq) as seq from journal where task_id = $taskId", { taskId });
      return Number(row?.["seq"] ?? 0);
    },

    async outputs(taskId, paths) {
      const rows = await db.query(
        `select path, output, output_ref from journal
         where task_id = $taskId and kind = 'step' and path in (select value from json_each(cast($paths as text)))
         order by seq desc`,
        { taskId, paths: JSON.stringify(paths) },
      );
      const newest = new Map<string, StoredOutput>();
      for (const output of rows.map(toOutput)) if (!newest.has(output.path)) newest.set(output.path, output);
      return [...newest.values()];
    },

    async finalOutputs(taskId, prefix) {
      const rows = await db.query(
        `select path, output, output_ref from journal ${FINAL_UNDER_PREFIX} order by seq`,
        { taskId, prefix },
      );
      return rows.map(toOutput);
    },

    async outputBytes(taskId, paths) {
      const rows = await db.query(
        `select sum(octet_length(output)) as bytes, output_ref from journal
         where task_id = $taskId and seq in (
           select max(seq) from journal
           where task_id = $taskId and kind = 'step' and path in (select value from json_each(cast($paths as text)))
           group by path)
         group by output_ref`,
        { taskId, paths: JSON.stringify(paths) },
      );
      return bytesOf(rows);
    },

    async finalOutputBytes(taskId, prefix) {
      const rows = await db.query(
        `select sum(octet_length(output)) as bytes, output_ref from journal ${FINAL_UNDER_PREFIX} group by output_ref`,
        { taskId, prefix },
      );
      return bytesOf(rows);
    },

    async items(taskId, path) {
      const [row] = await db.query(
        "select path, output, output_ref from journal where task_id = $taskId and kind = 'items' and path = $path order by seq desc limit 1",
        { taskId, path },
      );
      return row === undefined ? undefined : toOutput(row);
    },
  };
}

/** Rows with the sum of the outputs in them, one for each value of the blob store and one for all others. */
function bytesOf(rows: readonly Row[]): number {
  return rows.reduce((sum, row) => {
    const ref = row["output_ref"] as string | null;
    return sum + Number(row["bytes"] ?? 0) + (ref === null ? 0 : (sizeOfRef(ref) ?? 0));
  }, 0);
}

function toOutput(row: Row): StoredOutput {
  return {
    path: row["path"] as string,
    output: row["output"] as string | null,
    outputRef: row["output_ref"] as string | null,
  };
}
