import type { MessageHead } from "../session-record.ts";

/** About 15 MB. Beyond it, the least recently used log is evicted and later read from its first entry. */
const MAX_HEADS = 50_000;

/**
 * Caches the log heads of the sessions that run in this process. A log is append-only, so cached heads stay valid and
 * each turn reads only new entries: a turn in a session of thousands of messages costs no more than in a new one.
 */
export function createLogHeads(
  read: (sessionId: string, after: number) => Promise<MessageHead[]>,
  maxHeads = MAX_HEADS,
) {
  const logs = new Map<string, MessageHead[]>();
  let cached = 0;

  function evict(sessionId: string): void {
    cached -= logs.get(sessionId)?.length ?? 0;
    logs.delete(sessionId);
  }

  return async (sessionId: string): Promise<readonly MessageHead[]> => {
    const heads = logs.get(sessionId) ?? [];
    const added = await read(sessionId, heads.at(-1)?.seq ?? 0);
    // A concurrent call may have appended some of them during the read.
    const last = heads.at(-1)?.seq ?? 0;
    evict(sessionId);
    for (const head of added) if (head.seq > last) heads.push(head);
    logs.set(sessionId, heads);
    cached += heads.length;
    for (const id of logs.keys()) {
      if (cached <= maxHeads) break;
      evict(id);
    }
    return heads;
  };
}
