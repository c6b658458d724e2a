import { randomUUID } from "node:crypto";

export type LiveAnswers = ReturnType<typeof createLiveAnswers>;

/**
 * Passes the text of an answer, while it is written, to a request of the same process that waits for it. Nothing depends
 * on it: the whole answer is in the task, and a task that another process runs passes none.
 */
export function createLiveAnswers() {
  const readers = new Map<string, (text: string) => void>();
  return {
    /** The key goes into the input of the run. It cannot be guessed, so no other run can write to this reader. */
    open(onText: (text: string) => void): { key: string; close(): void } {
      const key = randomUUID();
      readers.set(key, onText);
      return { key, close: () => void readers.delete(key) };
    },
    readerOf: (key: string | undefined) => (key === undefined ? undefined : readers.get(key)),
  };
}
