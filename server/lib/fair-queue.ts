export interface FairQueueOptions {
  /** Jobs that run at the same time. */
  slots: number;
  /** Jobs of one key that run at the same time; 0 is as many as there are slots. */
  slotsPerKey: number | ((key: string) => number);
  /** Jobs of one key that wait; 0 is no limit. */
  waitingPerKey?: number;
  /** Slots that only urgent jobs take. */
  urgentSlots?: number;
  /** The error of a job that finds `waitingPerKey` others of its key waiting. */
  refuse(key: string): Error;
}

export interface JobOptions {
  /** A job whose signal is aborted while it waits never starts. */
  signal?: AbortSignal | undefined;
  /** Starts before all jobs that are not urgent. */
  urgent?: boolean;
}

export interface FairQueue {
  run<T>(key: string, job: () => Promise<T>, options?: JobOptions): Promise<T>;
  /** Jobs of one key, or of all. */
  running(key?: string): number;
  waiting(key?: string): number;
  /** Keys that are kept in memory: those with running or waiting jobs. */
  keys(): number;
}

interface Key {
  name: string;
  running: number;
  waiting: Record<Class, Set<() => void>>;
}

type Class = "urgent" | "normal";

/**
 * Runs jobs with a limited number of slots. Free slots go round-robin to the keys that wait, whatever the length of
 * their queues, so one key with a thousand jobs delays the next job of another key by one job at most.
 */
export function createFairQueue({
  slots,
  slotsPerKey,
  waitingPerKey = 0,
  urgentSlots = 0,
  refuse,
}: FairQueueOptions): FairQueue {
  const keys = new Map<string, Key>();
  // The keys that wait, the next one to be served first.
  const turns: Record<Class, Set<Key>> = { urgent: new Set(), normal: new Set() };
  const maxOf = (key: string): number =>
    (typeof slotsPerKey === "number" ? slotsPerKey : slotsPerKey(key)) || slots;
  const running: Record<Class, number> = { urgent: 0, normal: 0 };

  function mayStart(key: Key, jobClass: Class): boolean {
    if (running.urgent + running.normal >= slots || key.running >= maxOf(key.name)) return false;
    return jobClass === "urgent" || running.normal < slots - urgentSlots;
  }

  function takeSlot(key: Key, jobClass: Class): void {
    running[jobClass] += 1;
    key.running += 1;
  }

  function startWaiting(): void {
    for (const jobClass of ["urgent", "normal"] as const)
      // A key with more waiting jobs moves to the end of the line, where this loop finds it again.
      for (const key of turns[jobClass]) if (mayStart(key, jobClass)) startFirst(key, jobClass);
  }

  function startFirst(key: Key, jobClass: Class): void {
    const [start] = key.waiting[jobClass];
    if (start === undefined) return;
    key.waiting[jobClass].delete(start);
    turns[jobClass].delete(key);
    if (key.waiting[jobClass].size > 0) turns[jobClass].add(key);
    takeSlot(key, jobClass);
    start();
  }

  function wait(key: Key, jobClass: Class, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const onAbort = (): void => {
        key.waiting[jobClass].delete(start);
        if (key.waiting[jobClass].size === 0) turns[jobClass].delete(key);
        forgetIdle(key);
        reject(signal?.reason as Error);
      };
      const start = (): void => {
        signal?.removeEventListener("abort", onAbort);
        resolve();
      };
      key.waiting[jobClass].add(start);
      turns[jobClass].add(key);
      signal?.addEventListener("abort", onAbort, { once: true });
    });
  }

  function forgetIdle(key: Key): void {
    if (key.running === 0 && waitingOf(key) === 0) keys.delete(key.name);
  }

  return {
    async run(name, job, { signal, urgent = false } = {}) {
      signal?.throwIfAborted();
      const key = keys.get(name) ?? newKey(name);
      keys.set(name, key);
      const jobClass = urgent ? "urgent" : "normal";
      // A key with waiting jobs may not start one: each end has started every job that it allows.
      if (mayStart(key, jobClass)) takeSlot(key, jobClass);
      else {
        if (waitingPerKey > 0 && waitingOf(key) >= waitingPerKey) throw refuse(name);
        await wait(key, jobClass, signal);
      }
      try {
        return await job();
      } finally {
        running[jobClass] -= 1;
        key.running -= 1;
        startWaiting();
        forgetIdle(key);
      }
    },
    running: (name) =>
      name === undefined ? running.urgent + running.normal : (keys.get(name)?.running ?? 0),
    keys: () => new Set([...keys.values(), ...turns.urgent, ...turns.normal]).size,
    waiting(name) {
      if (name !== undefined) return waitingOf(keys.get(name));
      return [...keys.values()].reduce((sum, key) => sum + waitingOf(key), 0);
    },
  };
}

function newKey(name: string): Key {
  return { name, running: 0, waiting: { urgent: new Set(), normal: new Set() } };
}

function waitingOf(key: Key | undefined): number {
  return key === undefined ? 0 : key.waiting.urgent.size + key.waiting.normal.size;
}
