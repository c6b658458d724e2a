export interface KeyedQueue {
  /** Jobs with the same key run one after the other, in order; others do not wait for each other. */
  run<T>(key: string, job: () => Promise<T>): Promise<T>;
}

export function createKeyedQueue(): KeyedQueue {
  const last = new Map<string, Promise<unknown>>();
  return {
    run(key, job) {
      const result = (last.get(key) ?? Promise.resolve()).then(job);
      const ended = result
        .catch(() => undefined)
        .then(() => {
          if (last.get(key) === ended) last.delete(key);
        });
      last.set(key, ended);
      return result;
    },
  };
}
