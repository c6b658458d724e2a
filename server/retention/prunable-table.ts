/** A kind of record that expires, each with rows of its own: a task with its journal, a session with its messages. */
export interface PrunableTable {
  /**
   * Checks up to `limit` records after `afterId`, oldest first, that were created before `cutoff`. A record is prunable
   * when it ended before `cutoff` and nothing unfinished depends on it; `rows` is the number of its rows.
   */
  findPrunable(
    afterId: string,
    cutoff: number,
    limit: number,
  ): Promise<{ prunable: PrunableRecord[]; lastId: string | null }>;
  /** Detaches a finished record from its owner, so that no reader sees it half deleted; false when it is running again. */
  hide(id: string): Promise<boolean>;
  /** Deletes up to `limit` rows of the record; returns how many. */
  trim(id: string, limit: number): Promise<number>;
  /** Deletes finished records with everything that belongs to them; returns the ids of those that were still finished. */
  remove(ids: readonly string[]): Promise<string[]>;
}

export interface PrunableRecord {
  id: string;
  rows: number;
}
