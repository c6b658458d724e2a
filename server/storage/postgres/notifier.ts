import type { Statement } from "../db.ts";

// PostgreSQL refuses 8,000 bytes and more.
const MAX_PAYLOAD_BYTES = 7999;
/** A NOTIFY takes a lock of the whole database at its commit: the same word is said no more often than this. */
const PAUSE_MS = 200;

/** A NOTIFY commits like a write, and would wait for the disk like one. A hint may be lost in a crash. */
export const WITHOUT_WAITING: Statement = { sql: "select set_config('synchronous_commit', 'off', true)" };

export function notification(channel: string, payload: string): Statement {
  return { sql: "select pg_notify($1, $2)", params: [channel, payload] };
}

/**
 * Says each word at once and, when it is said again within the pause, once more at its end. A payload that is too long
 * goes as an empty one, which means "look for yourself".
 */
export function createNotifier(send: (statements: Statement[]) => Promise<unknown>) {
  const said = new Map<string, { again: boolean; timer: NodeJS.Timeout }>();
  let waiting: Statement[] = [];

  function notify(channel: string, payload: string): void {
    const text = Buffer.byteLength(payload) > MAX_PAYLOAD_BYTES ? "" : payload;
    const key = JSON.stringify([channel, text]);
    const before = said.get(key);
    if (before !== undefined) {
      before.again = true;
      return;
    }
    say(channel, text);
    const timer = setTimeout(() => {
      const again = said.get(key)?.again;
      said.delete(key);
      if (again === true) notify(channel, text);
    }, PAUSE_MS).unref();
    said.set(key, { again: false, timer });
  }

  function say(channel: string, payload: string): void {
    if (waiting.length === 0) setImmediate(flush);
    waiting.push(notification(channel, payload));
  }

  function flush(): void {
    const statements = waiting;
    waiting = [];
    // A hint that is lost is made good by the next look at the rows.
    send(statements).catch(() => undefined);
  }

  return {
    notify,
    close(): void {
      for (const { timer } of said.values()) clearTimeout(timer);
      said.clear();
      waiting = [];
    },
  };
}
