import type { Db } from "../../storage/db.ts";

export type WatchedFileStore = ReturnType<typeof createWatchedFileStore>;

/** The files of watched folders that were uploaded or refused. */
export function createWatchedFileStore(db: Db) {
  return {
    async states(folder: string): Promise<Map<string, string>> {
      const rows = await db.query<{ name: string; state: string }>(
        "select name, state from watched_file where folder = $folder",
        { folder },
      );
      return new Map(rows.map(({ name, state }) => [name, state]));
    },

    async save(folder: string, name: string, state: string): Promise<void> {
      await db.batch([
        {
          sql: `insert into watched_file (folder, name, state) values ($folder, $name, $state)
                on conflict (folder, name) do update set state = $state`,
          params: { folder, name, state },
        },
      ]);
    },
  };
}
