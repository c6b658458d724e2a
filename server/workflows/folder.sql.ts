import type { Folder } from "../../contract/workflows.ts";
import type { Db, Statement } from "../storage/db.ts";
import { deleteFirst } from "../storage/delete-first.ts";

export type FolderStore = ReturnType<typeof createFolderStore>;

/** A folder exists while a workflow is in it, and from its creation until it is removed. */
export function createFolderStore(db: Db) {
  return {
    /** In no order. */
    async list(ownerId: string): Promise<Folder[]> {
      const rows = await db.query(
        `select folder, sum(workflows) as workflows from (
           select folder, count(*) as workflows from workflow where owner_id = $ownerId and deleted_at is null group by folder
           union all select path, 0 from workflow_folder where owner_id = $ownerId) as listed
         where folder <> '' group by folder`,
        { ownerId },
      );
      return rows.map((row) => ({ folder: row["folder"] as string, workflows: Number(row["workflows"]) }));
    },

    /** False when the owner has created `maximum` folders. */
    async insert(ownerId: string, path: string, now: number, maximum: number): Promise<boolean> {
      const [, inserted = []] = await db.batch([
        insertFolder(ownerId, path, now, maximum),
        {
          sql: "select path from workflow_folder where owner_id = $ownerId and path = $path",
          params: { ownerId, path },
        },
      ]);
      return inserted.length === 1;
    },

    /**
     * Moves the workflows of a folder and its subfolders; an empty `to` takes them out. `paths` are the new paths of the
     * folders by their present ones. Returns how many workflows moved.
     */
    async move(
      ownerId: string,
      { from, to, paths }: { from: string; to: string; paths: ReadonlyMap<string, string> },
      now: number,
    ): Promise<number> {
      const moved = [...paths].map(([path, next]) => ({ path, next }));
      const [, , updated = []] = await db.batch([
        {
          sql: `delete from workflow_folder where owner_id = $ownerId
                  and path in (select value from json_each(cast($paths as text)))`,
          params: { ownerId, paths: JSON.stringify([...paths.keys()]) },
        },
        {
          sql: `insert into workflow_folder (owner_id, path, created_at)
                select distinct $ownerId, e.value->>'next', cast($now as bigint) from json_each(cast($moved as text)) as e
                where e.value->>'next' <> '' on conflict do nothing`,
          params: { ownerId, moved: JSON.stringify(moved), now },
        },
        {
          // A new time refuses a save that is based on the former folder.
          sql: `update workflow set
                  folder = case when folder = $from then cast($to as text)
                    when cast($to as text) = '' then substr(folder, length($from) + 2)
                    else cast($to as text) || substr(folder, length($from) + 1) end,
                  updated_at = case when updated_at < $now then $now else updated_at + 1 end
                where owner_id = $ownerId and deleted_at is null
                  and (folder = $from or substr(folder, 1, length($from) + 1) = $from || '/') returning 1 as one`,
          params: { ownerId, from, to, now },
        },
      ]);
      return updated.length;
    },

    /** Deletes up to `limit` folders of this owner; returns how many. */
    removeOwned: (ownerId: string, limit: number) =>
      deleteFirst(db, { table: "workflow_folder", group: "owner_id", key: "path", value: ownerId }, limit),
  };
}

function insertFolder(ownerId: string, path: string, now: number, maximum: number): Statement {
  return {
    sql: `insert into workflow_folder (owner_id, path, created_at)
          select $ownerId, $path, cast($now as bigint)
          where (select count(*) from workflow_folder where owner_id = $ownerId) < $maximum on conflict do nothing`,
    params: { ownerId, path, now, maximum },
  };
}
