import type { FileReference } from "../../contract/file-reference.ts";
import { forbidden, notFound } from "../lib/errors.ts";
import type { Db } from "../storage/db.ts";
import { linkTo } from "../storage/engine/task-files.ts";

export type RunFileStore = ReturnType<typeof createRunFileStore>;

export interface UnlinkedFile {
  id: string;
  ownerId: string;
}

export function createRunFileStore(db: Db) {
  return {
    /**
     * Unlinked until its bytes are stored: a crash in between leaves a row that the sweep finds. False when the files of
     * the owner would take more than `maxBytes`, counted in the same transaction; 0 is no limit.
     */
    async insert(
      ownerId: string,
      { file, name, contentType, size }: FileReference,
      { now, maxBytes }: { now: number; maxBytes: number },
    ): Promise<boolean> {
      const [, rows] = await db.batch(
        [
          // Two processes that insert at once would both find the room of one file.
          { sql: "select id from workspace where id = $ownerId /*for-update*/", params: { ownerId } },
          {
            sql: `insert into run_file (id, owner_id, name, content_type, size, unlinked_at, created_at)
                  select $file, $ownerId, $name, $contentType, cast($size as bigint), cast($now as bigint), cast($now as bigint)
                  where cast($maxBytes as bigint) = 0 or cast($size as bigint) <= cast($maxBytes as bigint)
                    - (select coalesce(sum(size), 0) from run_file where owner_id = $ownerId)
                  returning id`,
            params: { file, ownerId, name, contentType, size, now, maxBytes },
          },
        ],
        { alone: true },
      );
      return rows?.length === 1;
    },

    async link(ownerId: string, taskId: string, fileId: string): Promise<void> {
      await db.batch(linkTo({ id: taskId, ownerId }, [fileId]));
    },

    async find(ownerId: string, fileId: string): Promise<FileReference> {
      const [row] = await db.query(
        `select id, owner_id, name, content_type, size from run_file
         where id = $fileId and coalesce(unlinked_at, 0) >= 0`,
        { fileId },
      );
      if (row === undefined) throw notFound("file", fileId);
      if (row["owner_id"] !== ownerId) throw forbidden("file");
      return {
        file: row["id"] as string,
        name: row["name"] as string,
        contentType: row["content_type"] as string,
        size: Number(row["size"]),
      };
    },

    async bytesOf(ownerId: string): Promise<number> {
      const [row] = await db.query(
        "select coalesce(sum(size), 0) as bytes from run_file where owner_id = $ownerId",
        { ownerId },
      );
      return Number(row?.["bytes"] ?? 0);
    },

    /** Takes up to `limit` files that no task has used since `before`. From then on nothing can link them. */
    async takeUnlinked(before: number, limit: number): Promise<UnlinkedFile[]> {
      const [rows = []] = await db.batch([
        {
          sql: `update run_file set unlinked_at = -1 where id in
                  (select id from run_file where unlinked_at <= $before order by unlinked_at limit $limit)
                returning id, owner_id`,
          params: { before, limit },
        },
      ]);
      return rows.map((row) => ({ id: row["id"] as string, ownerId: row["owner_id"] as string }));
    },

    async remove(fileIds: readonly string[]): Promise<void> {
      const params = { ids: JSON.stringify(fileIds) };
      const chosen = "(select value from json_each(cast($ids as text)))";
      await db.batch([
        { sql: `delete from run_file where id in ${chosen}`, params },
        { sql: `delete from task_file where file_id in ${chosen}`, params },
      ]);
    },
  };
}
