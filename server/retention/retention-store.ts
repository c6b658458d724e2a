export interface RetentionStore {
  /**
   * Looks at up to `limit` tasks after `afterId`, oldest first, that were made before `cutoff`. Prunable is what ended
   * before it and belongs to nothing that goes on: no unfinished parent, child or replay, and no parent at all for the
   * task of a sub-workflow, because a rerun of the parent counts on it. `rows` says how long its journal is.
   */
  survey(
    afterId: string,
    cutoff: number,
    limit: number,
  ): Promise<{ prunable: { id: string; rows: number }[]; lastId: string | null }>;
  /** Takes a finished task from its owner, so that nobody sees or reruns what is left of it; false when it goes on again. */
  hide(taskId: string): Promise<boolean>;
  /** Removes up to `limit` entries of its journal; returns how many. */
  trimJournal(taskId: string, limit: number): Promise<number>;
  /** Removes finished tasks with everything that belongs to them; returns those that were still finished. */
  remove(taskIds: readonly string[]): Promise<string[]>;
  /** Forgets up to `limit` idempotency keys from before this time; returns how many. */
  dropKeys(before: number, limit: number): Promise<number>;
}
