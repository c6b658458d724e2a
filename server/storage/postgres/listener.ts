import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { type Client, escapeIdentifier } from "pg";
import { messageOf } from "../../lib/errors.ts";
import { cutOff } from "./lane.ts";

export interface ListenerOptions {
  /** A direct connection: a pooler in transaction mode forgets a LISTEN. */
  connect(): Promise<Client>;
  /** Says a word on the connections that everything else goes through. */
  say(channel: string, payload: string): Promise<unknown>;
  /** So long a word may take from there to here. */
  echoTimeoutMs: number;
  onProblem(message: string): void;
}

export type Handler = (payload: string) => void;

const PROBE_MS = 30_000;
const ECHO = "echo";
/** So often whoever listens on a line that carries nothing looks for himself. */
const POLL_WHEN_LISTEN_BROKEN_MS = 2000;
const PROBE_PATIENCE_MS = 10_000;

/**
 * One connection that does nothing but listen. When it is lost it is made anew, and every handler is called once with
 * an empty payload: what was said in between was said to nobody.
 */
export function createListener({ connect, say, echoTimeoutMs, onProblem }: ListenerOptions) {
  const handlers = new Map<string, Set<Handler>>();
  let client: Client | undefined;
  let connecting: Promise<void> | undefined;
  let closed = false;
  let probe: NodeJS.Timeout | undefined;
  let deafLooks: NodeJS.Timeout | undefined;
  let turn: Promise<unknown> = Promise.resolve();
  let asked = 0;

  /** One after the other: `pg` keeps no queue of its own. */
  function ask(target: Client, text: string): Promise<unknown> {
    asked += 1;
    const answer = turn.then(() => target.query(text));
    turn = answer.catch(() => undefined);
    return answer;
  }

  async function open(): Promise<void> {
    const made = await connect();
    made.on("notification", ({ channel, payload = "" }) => call(handlers.get(channel), payload));
    made.on("error", () => lose(made));
    made.on("end", () => lose(made));
    try {
      for (const channel of handlers.keys()) await ask(made, `listen ${escapeIdentifier(channel)}`);
    } catch (error) {
      cutOff(made);
      throw error;
    }
    client = made;
    clearInterval(probe);
    // A cut cable is never told to us.
    probe = setInterval(() => void check(made), PROBE_MS).unref();
  }

  /** A pooler takes a LISTEN without a word and forgets it: only what comes back shows that it is heard. */
  async function awaitEcho(): Promise<void> {
    const channel = `baton_echo_${randomUUID()}`;
    const unheard = setTimeout(lookAround, echoTimeoutMs).unref();
    let askedBefore = 0;
    const echoWhenIdle = async (): Promise<void> => {
      await turn;
      askedBefore = asked;
      await say(channel, ECHO);
    };
    const stop = await listen(channel, (payload) => {
      // An empty one is our own word that something may have been missed.
      if (payload !== ECHO) return;
      // Even a pooler that forgets lends us the server for as long as we ask it something: what is heard then proves nothing.
      if (asked !== askedBefore) return void echoWhenIdle().catch(() => undefined);
      clearTimeout(unheard);
      clearInterval(deafLooks);
      void stop();
    });
    await echoWhenIdle();
  }

  function lookAround(): void {
    onProblem(
      "notifications of other processes do not arrive, so their news take seconds; DATABASE_DIRECT_URL must lead to the same database, past any pooler",
    );
    deafLooks = setInterval(somethingWasMissed, POLL_WHEN_LISTEN_BROKEN_MS).unref();
  }

  function somethingWasMissed(): void {
    for (const set of handlers.values()) call(set, "");
  }

  async function check(made: Client): Promise<void> {
    const late = setTimeout(() => cutOff(made), PROBE_PATIENCE_MS);
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
        somethingWasMissed();
        break;
      } catch (error) {
        if (tries === 8) onProblem(`the connection for notifications is lost: ${messageOf(error)}`);
      }
    }
    connecting = undefined;
  }

  /** Made at the first use: whoever never listens needs no connection for it. */
  async function connected(): Promise<Client | undefined> {
    if (client === undefined) await (connecting ??= open().finally(() => (connecting = undefined)));
    return client;
  }

  async function listen(channel: string, handler: Handler): Promise<() => Promise<void>> {
    const first = !handlers.has(channel);
    const set = handlers.get(channel) ?? new Set();
    handlers.set(channel, set.add(handler));
    const target = await connected();
    if (first && target !== undefined) await ask(target, `listen ${escapeIdentifier(channel)}`);
    return async () => {
      set.delete(handler);
      if (set.size > 0 || handlers.get(channel) !== set) return;
      handlers.delete(channel);
      if (client !== undefined)
        await ask(client, `unlisten ${escapeIdentifier(channel)}`).catch(() => undefined);
    };
  }

  let echoed: Promise<void> | undefined;
  return {
    async listen(channel: string, handler: Handler): Promise<() => Promise<void>> {
      const stop = await listen(channel, handler);
      // A lost line has its own way back; the check is for a line that leads elsewhere.
      echoed ??= awaitEcho().catch(() => undefined);
      return stop;
    },
    async close(): Promise<void> {
      closed = true;
      clearInterval(probe);
      clearInterval(deafLooks);
      const last = client;
      client = undefined;
      await last?.end();
    },
  };
}

function call(handlers: Iterable<Handler> | undefined, payload: string): void {
  for (const handler of handlers ?? []) handler(payload);
}
