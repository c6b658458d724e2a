import { fileIdsIn } from "../../../contract/file-reference.ts";
import type { NewTask } from "../../engine/store.ts";
import type { Statement } from "../db.ts";

const LISTED = "(select value from json_each(cast($fileIds as text)))";

/**
 * Links a new task to the files that its input names, so that they are kept as long as the task. A replay is linked to
 * all files of its original, whose results it copies. After the insert of the task, which may have been refused.
 */
export function linkFiles(task: NewTask, ...texts: (string | null)[]): Statement[] {
  const isReplay = task.parentTaskId !== null && task.parentStep === null;
  const statements = isReplay ? [copyLinks(task)] : [];
  const fileIds = texts.flatMap((text) => (text === null ? [] : fileIdsIn(text)));
  return fileIds.length === 0 ? statements : [...statements, ...linkTo(task, fileIds)];
}

/** Only files of the owner; one that is being deleted is gone. */
export function linkTo({ id, ownerId }: Pick<NewTask, "id" | "ownerId">, fileIds: string[]): Statement[] {
  const params = { id, ownerId, fileIds: JSON.stringify(fileIds) };
  return [
    {
      sql: `insert into task_file (task_id, file_id)
            select $id, f.id from run_file as f
            where f.owner_id = $ownerId and f.id in ${LISTED} and coalesce(f.unlinked_at, 0) >= 0
              and exists (select 1 from task where id = $id)
            on conflict do nothing`,
      params,
    },
    {
      sql: `update run_file set unlinked_at = null
            where owner_id = $ownerId and id in ${LISTED} and unlinked_at >= 0 and exists (select 1 from task where id = $id)`,
      params,
    },
  ];
}

function copyLinks({ id, parentTaskId }: NewTask): Statement {
  return {
    sql: `insert into task_file (task_id, file_id)
          select $id, file_id from task_file
          where task_id = $parentTaskId and exists (select 1 from task where id = $id)
          on conflict do nothing`,
    params: { id, parentTaskId },
  };
}

/** For tasks whose rows are gone: files that no other task uses are unlinked, and deleted by the next sweep. */
export function unlinkFiles(taskIds: readonly string[]): Statement[] {
  const params = { ids: JSON.stringify(taskIds) };
  const links = `from task_file where task_id in (select value from json_each(cast($ids as text)))
    and not exists (select 1 from task where id = task_file.task_id)`;
  return [
    {
      sql: `update run_file set unlinked_at = 0 where id in (select file_id ${links}) and unlinked_at is null and not exists (
              select 1 from task_file as other join task on task.id = other.task_id where other.file_id = run_file.id)`,
      params,
    },
    { sql: `delete ${links}`, params },
  ];
}
