import type { Statement } from "../db.ts";

// PostgreSQL refuses 8,000 bytes and more.
const MAX_PAYLOAD_BYTES = 7999;
/** NOTIFY takes a database-wide lock at commit, so the same payload is sent at most once per interval. */
const PAUSE_MS = 200;

/**
 * NOTIFY commits like a write and would wait for the disk. A hint may be lost in a crash, so its transaction does not
 * wait; no durable write may share it.
 */
export function notification(channel: string, payload: string): Statement {
  return {
    sql: "select set_config('synchronous_commit', 'off', true), pg_notify($channel, $payload)",
    params: { channel, payload },
  };
}

/**
 * Sends each payload at once; repeats within the interval are sent once at its end. A payload that is too long is sent
 * empty, which makes listeners read the rows.
 */
export function createNotifier(send: (statements: Statement[]) => Promise<unknown>) {
  const recent = new Map<string, { again: boolean; timer: NodeJS.Timeout }>();
  let waiting: Statement[] = [];

  function notify(channel: string, payload: string): void {
    const text = Buffer.byteLength(payload) > MAX_PAYLOAD_BYTES ? "" : payload;
    const key = JSON.stringify([channel, text]);
    const before = recent.get(key);
    if (before !== undefined) {
      before.again = true;
      return;
    }
    enqueue(channel, text);
    const timer = setTimeout(() => {
      const again = recent.get(key)?.again;
      recent.delete(key);
      if (again === true) notify(channel, text);
    }, PAUSE_MS).unref();
    recent.set(key, { again: false, timer });
  }

  function enqueue(channel: string, payload: string): void {
    if (waiting.length === 0) setImmediate(flush);
    waiting.push(notification(channel, payload));
  }

  function flush(): void {
    const statements = waiting;
    waiting = [];
    // A lost hint costs latency only: the next poll reads the rows.
    send(statements).catch(() => undefined);
  }

  return {
    notify,
    close(): void {
      for (const { timer } of recent.values()) clearTimeout(timer);
      recent.clear();
      waiting = [];
    },
  };
}
