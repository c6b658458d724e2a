/** A kind of record that expires, each with its own rows: a task with its journal, a session with its messages. */
export interface PrunableTable {
  /**
   * Checks up to `limit` records after `afterId`, oldest first, that were created before `cutoff`. A record is prunable
   * when it ended before `cutoff` and nothing unfinished depends on it; `rows` is the number of its rows.
   */
  findPrunable(
    afterId: string,
    cutoff: number,
    limit: number,
    owners?: OwnersToPrune,
  ): Promise<{ prunable: PrunableRecord[]; lastId: string | null }>;
  /** Detaches a finished record from its owner, so that no reader sees it half deleted; false when it is running again. */
  hide(id: string): Promise<boolean>;
  /** Deletes up to `limit` rows of the record; returns how many. */
  trim(id: string, limit: number): Promise<number>;
  /** Deletes finished records with everything that belongs to them; returns the ids of those that were still finished. */
  remove(ids: readonly string[]): Promise<string[]>;
}

/** Workspaces with their own retention are swept one by one; the instance's holds for all others. */
export type OwnersToPrune = { only: string } | { except: readonly string[] };

/** Conditions on the column `owner_id`: of the rows to read, and of those among them to delete. */
export function ownerConditions(owners: OwnersToPrune = { except: [] }) {
  return "only" in owners
    ? { read: "owner_id = $owners", prune: "owner_id = $owners", owners: owners.only }
    : {
        read: "1 = 1",
        prune: "owner_id not in (select value from json_each(cast($owners as text)))",
        owners: JSON.stringify(owners.except),
      };
}

export interface PrunableRecord {
  id: string;
  rows: number;
}
