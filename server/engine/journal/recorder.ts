import { createBatcher, type Pending } from "../../lib/batcher.ts";
import type { Stop } from "../run/stop.ts";
import type { RunWrite, TaskChange } from "../store.ts";
import type { JournalEntry } from "./journal-entry.ts";
import { retryWhileStorageUnavailable } from "./retry-while-storage-unavailable.ts";

/** Writes the journal of one run. */
export interface Recorder {
  /** Numbers the entries, makes them durable, then applies them to memory. Throws RunDropped when the run has lost its task. */
  record(entries: JournalEntry[], more?: Omit<RunWrite, "task" | "entries">): Promise<void>;
  /**
   * For results of pure steps: applied to memory now, durable with the next record or at the end of this turn. A crash
   * before that only repeats a computation. Three steps recorded one by one wait for the disk three times, and cost 0.9
   * to 1.5 times the CPU of three buffered ones (npm run bench:commit). Returns a promise when the run has to wait for the
   * disk before it continues.
   */
  buffer(entries: JournalEntry[]): Promise<void> | undefined;
  /**
   * Called before every effect. Resolves when all buffered entries, and the task itself, are durable; undefined when they
   * are already.
   */
  flush(): Promise<void> | undefined;
  /** Resolves when no write is in flight. A run that is aborted before starts no other. */
  idle(): Promise<void>;
  /** Number of the last entry, recorded or buffered. */
  lastSeq(): number;
}

export interface RecorderDeps {
  lastSeq: number;
  stop: Stop;
  /** False when the task's epoch has been raised since: the only reason to drop a finished result. */
  write(write: Omit<RunWrite, "task">): Promise<boolean>;
  /** For a task that starts before it is stored: whether it was stored. */
  isStored?: Promise<boolean> | undefined;
  remember(entry: JournalEntry): void;
  /** Called when the entries are durable. */
  recorded(entries: readonly JournalEntry[], change: TaskChange | undefined): void;
  /** Nothing more can be recorded: steps in flight should stop. */
  onFault(error: Error): void;
}

/** The run has lost its task: cancelled, claimed by another process, or the process is stopping. */
export class RunDropped extends Error {}

/** A long chain of pure steps yields to other runs this often, and a crash repeats no more steps than this. */
export const MAX_BUFFERED = 25;

export function createRecorder({
  lastSeq,
  stop,
  write,
  isStored,
  remember,
  recorded,
  onFault,
}: RecorderDeps): Recorder {
  let seq = lastSeq;
  let isTaskStored = isStored === undefined;
  let buffered: JournalEntry[] = [];
  let endOfTurn: NodeJS.Immediate | undefined;
  /** The last write that carries buffered entries, while it is in flight. */
  let flushing: Promise<void> | undefined;
  /** The first failure. Any write after it would leave a gap in the journal, so none is sent. */
  let fault: Error | undefined;

  // One write at a time: a store with several connections may commit a later write first. A crash would then leave a gap
  // in the journal, and a step could start before a result that it reads is durable. It costs 0.7 µs a write.
  const writes = createBatcher<Omit<RunWrite, "task">, void>({
    collectTurn: false,
    async send(batch) {
      try {
        if (fault !== undefined) throw fault;
        // Also while the database is unreachable, whatever became of the lease: if a peer took the task, its epoch says so.
        const [first] = batch;
        const areStored = await retryWhileStorageUnavailable(
          () => (batch.length === 1 ? write(first!.item) : storeAll(batch)),
          stop,
        );
        if (!areStored) throw new RunDropped();
        isTaskStored = true;
      } catch (error) {
        if (fault === undefined) {
          fault = stop.aborted ? new RunDropped() : (error as Error);
          onFault(fault);
        }
        throw fault;
      }
      for (const { resolve } of batch) resolve();
    },
  });

  async function storeAll(batch: readonly Pending<Omit<RunWrite, "task">, void>[]): Promise<boolean> {
    const stored = await Promise.all(batch.map(({ item }) => write(item)));
    return !stored.includes(false);
  }

  async function recordNow(
    newEntries: JournalEntry[],
    more: Omit<RunWrite, "task" | "entries">,
  ): Promise<void> {
    if (fault !== undefined) throw fault;
    if (stop.aborted) throw new RunDropped();
    for (const entry of newEntries) entry.seq = ++seq;
    const entries = buffered.length === 0 ? newEntries : [...buffered, ...newEntries];
    buffered = [];
    clearImmediate(endOfTurn);
    endOfTurn = undefined;
    await writes.add({ entries, ...more });
    for (const entry of newEntries) remember(entry);
    recorded(entries, more.change);
  }

  function record(newEntries: JournalEntry[], more: Omit<RunWrite, "task" | "entries"> = {}): Promise<void> {
    const carriesBuffered = buffered.length > 0;
    const recording = recordNow(newEntries, more);
    if (carriesBuffered) {
      flushing = recording;
      const isOver = (): void => {
        if (flushing === recording) flushing = undefined;
      };
      recording.then(isOver, isOver);
    }
    return recording;
  }

  function flush(): Promise<void> | undefined {
    if (buffered.length > 0) return record([]);
    return flushing ?? (isTaskStored ? undefined : taskStored());
  }

  async function taskStored(): Promise<void> {
    if ((await isStored) !== true) throw new RunDropped();
    isTaskStored = true;
  }

  return {
    record,
    flush,
    lastSeq: () => seq,
    buffer(newEntries) {
      for (const entry of newEntries) {
        entry.seq = ++seq;
        remember(entry);
        buffered.push(entry);
      }
      if (buffered.length >= MAX_BUFFERED) return flush();
      // The next record throws the fault.
      endOfTurn ??= setImmediate(() => void flush()?.catch(() => undefined));
      return undefined;
    },
    idle: writes.idle,
  };
}
