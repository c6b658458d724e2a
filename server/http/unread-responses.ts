import type { ServerResponse } from "node:http";
import { ChurnMap } from "../lib/churn-map.ts";
import { clientNetwork } from "../security/address-classes.ts";

/** Of all clients together: responses of this size do not endanger the process. */
const MAX_UNREAD_BYTES = 64 * 1024 * 1024;
const CHECK_EVERY_MS = 250;

type OpenResponse = Pick<ServerResponse, "writableLength" | "closed" | "req">;

/** Its address is read only when too much is unread. */
interface Client {
  readonly ip: string;
}

interface Unread {
  readonly number: number;
  readonly response: OpenResponse;
  readonly client: Client;
}

interface UnreadResponses {
  /** Returns the number to remove it by. */
  add(response: OpenResponse, client: Client): number;
  remove(number: number): void;
  /** Closes connections until the rest fits; returns how many. */
  enforce(): number;
  stop(): void;
}

/**
 * Limits what is kept in memory of responses that clients do not read: sixty clients that asked for a result of nine
 * megabytes and read none of it ended a process with a heap of 600 MB. The oldest response of the network that holds the
 * most is ended first, so that clients that only read slowly lose theirs last.
 */
export function createUnreadResponses(
  onEnded: (count: number) => void,
  { maxBytes = MAX_UNREAD_BYTES, everyMs = CHECK_EVERY_MS } = {},
): UnreadResponses {
  // Oldest first. With responses as keys, V8 would keep those of all later calls until the next full collection.
  const open = new ChurnMap<number, Unread>();
  let last = 0;
  const timer = setInterval(() => {
    const ended = enforce();
    if (ended > 0) onEnded(ended);
  }, everyMs).unref();

  function enforce(): number {
    let excess = -maxBytes;
    for (const { number, response } of open.values())
      // Of a client that left before the end: such a response is never finished, so that nobody removes it.
      if (response.closed) open.delete(number);
      else excess += response.writableLength;
    let ended = 0;
    for (; excess > 0; ended += 1) {
      const [oldest] = largestShare();
      if (oldest === undefined) break;
      excess -= oldest.response.writableLength;
      open.delete(oldest.number);
      // Not only the response: those behind it on the same connection would wait for it.
      oldest.response.req.socket.destroy();
    }
    return ended;
  }

  /** The unread responses of the network that holds the most bytes. */
  function largestShare(): Unread[] {
    const shares = new Map<string, { bytes: number; responses: Unread[] }>();
    for (const unread of open.values()) {
      const { response, client } = unread;
      if (response.writableLength === 0) continue;
      const network = clientNetwork(client.ip);
      const share = shares.get(network) ?? { bytes: 0, responses: [] };
      share.bytes += response.writableLength;
      share.responses.push(unread);
      shares.set(network, share);
    }
    return [...shares.values()].toSorted((a, b) => b.bytes - a.bytes)[0]?.responses ?? [];
  }

  return {
    add(response, client) {
      last += 1;
      open.set(last, { number: last, response, client });
      return last;
    },
    remove: (number) => open.delete(number),
    enforce,
    stop: () => clearInterval(timer),
  };
}
