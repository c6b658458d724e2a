import type { JournalEntry } from "./journal-entry.ts";
import { createOrderedWrites } from "./ordered-writes.ts";
import { retryWhileDiskFull } from "./retry-while-disk-full.ts";
import type { Stop } from "../run/stop.ts";
import type { RunWrite, TaskChange } from "../store.ts";

/** How a run writes its journal. */
export interface Recorder {
  /** Numbers the entries, makes them durable, takes them into memory. Throws Dropped when the task is no longer ours. */
  record(entries: JournalEntry[], more?: Omit<RunWrite, "task" | "entries">): Promise<void>;
  /**
   * For what a step has only computed: into memory now, durable with the next record, at the end of this turn at the
   * latest. Computed again after a crash it harms nobody, so it need not wait for the disk by itself.
   */
  note(entries: JournalEntry[]): Promise<void>;
  /** Resolves when everything noted, and the task itself, is durable: asked before every effect. */
  flush(): Promise<void>;
  /** Resolves when no write is under way. */
  idle(): Promise<void>;
}

export interface RecorderDeps {
  lastSeq: number;
  stop: Stop;
  /** The lease is still ours, by a clock that cannot jump. */
  mayRecord(): boolean;
  /** False when the task's epoch has moved on. */
  write(write: Omit<RunWrite, "task">): Promise<boolean>;
  /** Of a task that is being accepted: whether it is stored. */
  isStored?: Promise<boolean> | undefined;
  remember(entry: JournalEntry): void;
  /** These are now durable. */
  recorded(entries: readonly JournalEntry[], change: TaskChange | undefined): void;
}

/** The task was taken from this run: cancelled, claimed by another process, or the process is stopping. */
export class Dropped extends Error {}

/** A long chain of computing lets others have their turn now and then, and loses no more than this to a crash. */
export const MAX_NOTED = 25;

export function createRecorder({
  lastSeq,
  stop,
  mayRecord,
  write,
  isStored,
  remember,
  recorded,
}: RecorderDeps): Recorder {
  const underWay = new Set<Promise<void>>();
  let seq = lastSeq;
  let noted: JournalEntry[] = [];
  let endOfTurn: NodeJS.Immediate | undefined;
  /** The last write that took noted entries along, while it is under way. */
  let flushing: Promise<void> | undefined;
  /** What failed first. From then on the journal would have a hole, so nothing more is recorded. */
  let fault: Error | undefined;

  const store = createOrderedWrites(async (writes: Omit<RunWrite, "task">[]) => {
    const stored = await retryWhileDiskFull(() => Promise.all(writes.map(write)), stop);
    if (stored.includes(false)) throw new Dropped();
  });

  async function recordNow(
    newEntries: JournalEntry[],
    more: Omit<RunWrite, "task" | "entries">,
  ): Promise<void> {
    if (fault !== undefined) throw fault;
    if (stop.aborted || !mayRecord()) throw new Dropped();
    for (const entry of newEntries) entry.seq = ++seq;
    const entries = noted.length === 0 ? newEntries : [...noted, ...newEntries];
    noted = [];
    clearImmediate(endOfTurn);
    endOfTurn = undefined;
    try {
      await store({ entries, ...more });
    } catch (error) {
      fault ??= stop.aborted ? new Dropped() : (error as Error);
      throw fault;
    }
    for (const entry of newEntries) remember(entry);
    recorded(entries, more.change);
  }

  function record(newEntries: JournalEntry[], more: Omit<RunWrite, "task" | "entries"> = {}): Promise<void> {
    const carriesNoted = noted.length > 0;
    const recording = recordNow(newEntries, more).finally(() => {
      underWay.delete(recording);
      if (flushing === recording) flushing = undefined;
    });
    underWay.add(recording);
    if (carriesNoted) flushing = recording;
    return recording;
  }

  async function flush(): Promise<void> {
    if (noted.length > 0) return record([]);
    if (flushing !== undefined) return flushing;
    if (isStored !== undefined && !(await isStored)) throw new Dropped();
  }

  return {
    record,
    flush,
    note(newEntries) {
      for (const entry of newEntries) {
        entry.seq = ++seq;
        remember(entry);
        noted.push(entry);
      }
      if (noted.length >= MAX_NOTED) return flush();
      // Whoever records next hears of what went wrong.
      endOfTurn ??= setImmediate(() => void flush().catch(() => undefined));
      return Promise.resolve();
    },
    async idle() {
      while (underWay.size > 0) await Promise.allSettled(underWay);
    },
  };
}
