/**
 * The other processes on the same database. Whatever is said here is a hint and may be lost: the rows are the truth, and
 * everybody looks at them now and then all the same.
 */
export interface Neighbours {
  /** Something is due that this process does not take up itself. */
  workIsDue(): void;
  /** A task has changed. `lazily`: nobody elsewhere is waiting for that, at most watching. */
  taskMoved(taskId: string, lazily?: boolean): void;
  /** Hears what others say; returns the way out. */
  listen(ears: NeighbourEars): Promise<() => Promise<void>>;
}

export interface NeighbourEars {
  workIsDue(): void;
  /** `any`: some may have been missed. */
  tasksMoved(taskIds: readonly string[] | "any"): void;
}

/** One process on its own folder has none. */
export const noNeighbours: Neighbours = {
  workIsDue: () => undefined,
  taskMoved: () => undefined,
  listen: () => Promise.resolve(() => Promise.resolve()),
};
