/** Records of one kind that grow old, each with rows that belong to it. */
export interface Shelf {
  /**
   * Looks at up to `limit` records after `afterId`, oldest first, that were made before `cutoff`. Prunable is what
   * ended before it and belongs to nothing that goes on. `rows` says how much there is of it.
   */
  survey(
    afterId: string,
    cutoff: number,
    limit: number,
  ): Promise<{ prunable: { id: string; rows: number }[]; lastId: string | null }>;
  /** Takes a finished record from its owner, so that nobody sees or opens what is left of it; false when it goes on again. */
  hide(id: string): Promise<boolean>;
  /** Removes up to `limit` of its rows; returns how many. */
  trim(id: string, limit: number): Promise<number>;
  /** Removes finished records with everything that belongs to them; returns those that were still finished. */
  remove(ids: readonly string[]): Promise<string[]>;
}

export interface RetentionStore {
  /**
   * Not prunable is one with an unfinished parent, child or replay, and a sub-workflow or a tool's task as long as its
   * parent is there at all, because a rerun of that counts on it.
   */
  tasks: Shelf;
  /** With the tasks that drove them. */
  sessions: Shelf;
  /** Forgets up to `limit` idempotency keys from before this time; returns how many. */
  dropKeys(before: number, limit: number): Promise<number>;
}
