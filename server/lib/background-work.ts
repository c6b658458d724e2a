/** Work that outlives the request that started it. */
export interface BackgroundWork {
  run(what: string, work: () => Promise<void>): void;
  /** Resolves once everything that was started has ended. */
  ended(): Promise<void>;
}

export function createBackgroundWork(report: (error: unknown, what: string) => void): BackgroundWork {
  const running = new Set<Promise<void>>();
  return {
    run(what, work) {
      const job = work()
        .catch((error: unknown) => report(error, what))
        .finally(() => running.delete(job));
      running.add(job);
    },
    async ended() {
      await Promise.all(running);
    },
  };
}
