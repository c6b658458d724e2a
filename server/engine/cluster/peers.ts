/**
 * The other processes on the same database. Whatever is said here is a hint and may be lost: the rows are the truth, and
 * everybody looks at them now and then all the same.
 */
export interface Peers {
  /** Something is due that this process does not take up itself. */
  workIsDue(): void;
  /** A task has changed. `lazily`: nobody elsewhere is waiting for that, at most watching. */
  taskChanged(taskId: string, lazily?: boolean): void;
  /** Hears what others say; returns the way out. */
  listen(ears: PeerListener): Promise<() => Promise<void>>;
}

export interface PeerListener {
  workIsDue(): void;
  /** `any`: some may have been missed. */
  tasksChanged(taskIds: readonly string[] | "any"): void;
}

/** One process on its own folder has none. */
export const noPeers: Peers = {
  workIsDue: () => undefined,
  taskChanged: () => undefined,
  listen: () => Promise.resolve(() => Promise.resolve()),
};
