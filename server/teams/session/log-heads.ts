import type { MessageHead } from "../session-record.ts";

/** About 15 MB. Whoever is over it was used longest ago, and is read from the beginning when it is needed again. */
const MOST_HEADS = 50_000;

/**
 * The logs of the sessions that are driven here, without what was said. A log only ever grows, so what was read once
 * stays true and a session of thousands of messages costs no more a turn than a new one: only what is new is read.
 */
export function createLogHeads(
  read: (sessionId: string, after: number) => Promise<MessageHead[]>,
  most = MOST_HEADS,
) {
  const logs = new Map<string, MessageHead[]>();
  let kept = 0;

  function forget(sessionId: string): void {
    kept -= logs.get(sessionId)?.length ?? 0;
    logs.delete(sessionId);
  }

  return async (sessionId: string): Promise<readonly MessageHead[]> => {
    const heads = logs.get(sessionId) ?? [];
    const news = await read(sessionId, heads.at(-1)?.seq ?? 0);
    // Somebody else may have read on meanwhile: then some of them are here already.
    const last = heads.at(-1)?.seq ?? 0;
    forget(sessionId);
    for (const head of news) if (head.seq > last) heads.push(head);
    logs.set(sessionId, heads);
    kept += heads.length;
    for (const id of logs.keys()) {
      if (kept <= most) break;
      forget(id);
    }
    return heads;
  };
}
