/**
 * The other processes on the same database. Messages are hints and may be lost: the rows are the source of truth, and
 * every process also polls them.
 */
export interface Peers {
  /** Work is due that this process does not claim itself. */
  workIsDue(): void;
  /** A task has changed. `lazily`: no peer waits for the change, at most a subscriber follows it. */
  taskChanged(taskId: string, lazily?: boolean): void;
  /** Resolves to the function that stops listening. */
  listen(listener: PeerListener): Promise<() => Promise<void>>;
}

export interface PeerListener {
  workIsDue(): void;
  /** `any`: messages may have been missed. */
  tasksChanged(taskIds: readonly string[] | "any"): void;
}

/** A single process on its own data folder has no peers. */
export const noPeers: Peers = {
  workIsDue: () => undefined,
  taskChanged: () => undefined,
  listen: () => Promise.resolve(() => Promise.resolve()),
};
