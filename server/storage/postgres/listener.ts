import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "pg";
import { messageOf } from "../../lib/errors.ts";
import { cutOff } from "./lane.ts";

export interface ListenerOptions {
  /** A direct connection: a pooler in transaction mode forgets a LISTEN. */
  connect(): Promise<Client>;
  /** Sends a notification over the ordinary connections. */
  publish(channel: string, payload: string): Promise<unknown>;
  /** How long a notification may take to arrive. */
  echoTimeoutMs: number;
  onProblem(message: string): void;
}

export type Handler = (payload: string) => void;

const PROBE_MS = 30_000;
const ECHO = "echo";
/** Interval of the fallback poll while notifications do not arrive. */
const POLL_WHEN_LISTEN_BROKEN_MS = 2000;
const PROBE_TIMEOUT_MS = 10_000;

/**
 * One connection that only listens. After a reconnect every handler is called once with an empty payload, because
 * notifications sent in between are lost.
 */
export function createListener({ connect, publish, echoTimeoutMs, onProblem }: ListenerOptions) {
  const handlers = new Map<string, Set<Handler>>();
  let client: Client | undefined;
  let connecting: Promise<void> | undefined;
  let closed = false;
  let probe: NodeJS.Timeout | undefined;
  let fallbackPoll: NodeJS.Timeout | undefined;
  let turn: Promise<unknown> = Promise.resolve();
  let queries = 0;

  /** One query at a time: `pg` has no queue of its own. */
  function ask(target: Client, text: string): Promise<unknown> {
    queries += 1;
    const reply = turn.then(() => target.query(text));
    turn = reply.catch(() => undefined);
    return reply;
  }

  async function open(): Promise<void> {
    const made = await connect();
    made.on("notification", ({ channel, payload = "" }) => call(handlers.get(channel), payload));
    made.on("error", () => lose(made));
    made.on("end", () => lose(made));
    try {
      for (const channel of handlers.keys()) await ask(made, `listen ${made.escapeIdentifier(channel)}`);
    } catch (error) {
      cutOff(made);
      throw error;
    }
    client = made;
    clearInterval(probe);
    // A cut cable raises no error; only a probe detects it.
    probe = setInterval(() => void check(made), PROBE_MS).unref();
  }

  /** A pooler accepts LISTEN and then forgets it. Only a notification that comes back proves that listening works. */
  async function awaitEcho(): Promise<void> {
    const channel = `baton_echo_${randomUUID()}`;
    const noEcho = setTimeout(startFallbackPoll, echoTimeoutMs).unref();
    let queriesBefore = 0;
    const echoWhenIdle = async (): Promise<void> => {
      await turn;
      queriesBefore = queries;
      await publish(channel, ECHO);
    };
    const stop = await listen(channel, (payload) => {
      // An empty payload comes from notifyMissed, not from the server.
      if (payload !== ECHO) return;
      // A pooler lends its server connection while a query runs, so an echo that arrives during one proves nothing.
      if (queries !== queriesBefore) return void echoWhenIdle().catch(() => undefined);
      clearTimeout(noEcho);
      clearInterval(fallbackPoll);
      void stop();
    });
    await echoWhenIdle();
  }

  function startFallbackPoll(): void {
    onProblem(
      "notifications from other processes do not arrive, so changes are picked up by polling every 2 s. Set DATABASE_DIRECT_URL to the same database, bypassing any pooler",
    );
    fallbackPoll = setInterval(notifyMissed, POLL_WHEN_LISTEN_BROKEN_MS).unref();
  }

  function notifyMissed(): void {
    for (const set of handlers.values()) call(set, "");
  }

  async function check(made: Client): Promise<void> {
    const late = setTimeout(() => cutOff(made), PROBE_TIMEOUT_MS);
    await ask(made, "select 1").catch(() => cutOff(made));
    clearTimeout(late);
  }

  function lose(gone: Client): void {
    if (client !== gone) return;
    client = undefined;
    if (!closed) connecting ??= reconnect();
  }

  async function reconnect(): Promise<void> {
    for (let tries = 0; !closed; tries += 1) {
      await sleep(Math.min(2000, 20 * 2 ** tries) * (0.5 + Math.random()));
      try {
        if (closed) break;
        await open();
        notifyMissed();
        break;
      } catch (error) {
        if (tries === 8) onProblem(`the connection for notifications is lost: ${messageOf(error)}`);
      }
    }
    connecting = undefined;
  }

  /** Opened on first use: a process that never listens needs no connection for it. */
  async function connected(): Promise<Client | undefined> {
    if (client === undefined) await (connecting ??= open().finally(() => (connecting = undefined)));
    return client;
  }

  async function listen(channel: string, handler: Handler): Promise<() => Promise<void>> {
    const first = !handlers.has(channel);
    const set = handlers.get(channel) ?? new Set();
    handlers.set(channel, set.add(handler));
    const target = await connected();
    if (first && target !== undefined) await ask(target, `listen ${target.escapeIdentifier(channel)}`);
    return async () => {
      set.delete(handler);
      if (set.size > 0 || handlers.get(channel) !== set) return;
      handlers.delete(channel);
      if (client !== undefined)
        await ask(client, `unlisten ${client.escapeIdentifier(channel)}`).catch(() => undefined);
    };
  }

  let echoed: Promise<void> | undefined;
  return {
    async listen(channel: string, handler: Handler): Promise<() => Promise<void>> {
      const stop = await listen(channel, handler);
      // A lost connection is reopened by `reconnect`; this check detects a connection that ends at a pooler.
      echoed ??= awaitEcho().catch(() => undefined);
      return stop;
    },
    async close(): Promise<void> {
      closed = true;
      clearInterval(probe);
      clearInterval(fallbackPoll);
      const last = client;
      client = undefined;
      await last?.end();
    },
  };
}

function call(handlers: Iterable<Handler> | undefined, payload: string): void {
  for (const handler of handlers ?? []) handler(payload);
}
