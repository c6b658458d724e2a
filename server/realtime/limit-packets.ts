import { MAX_DEPTH, shapeOf } from "../lib/untrusted-json.ts";
import { type Connection, terminate, type Transport } from "./slow-clients.ts";

/** Socket.IO sends the token in one packet of about 500 bytes. */
const MAX_BYTES_BEFORE_LOGIN = 16_384;
export const MAX_MESSAGE_BYTES = 1_200_000;
/** Packets `0` ask for a login, again after each refusal. */
const MAX_LOGINS = 20;
/** Packets in the body of one POST: all are decoded and handled in one turn of the event loop. */
const MAX_PACKETS_PER_POST = 1000;
/** A WebSocket is read up to 2 MB at a time, which is a million packets. */
const MAX_PACKETS_PER_TURN = 200;
/** A client that sends further requests before these are answered is not read meanwhile. */
const MAX_PENDING = 100;
/** Long polling cannot be held back. */
const MAX_PENDING_PER_POLLER = 10_000;
const MAX_JSON_VALUES = 50_000;
const SEPARATOR = "\u001e";

export interface PacketLimits {
  /** From here on the client may send messages. */
  onLogin(): void;
  /** Counts a request; returns the function that ends it. */
  begin(): () => void;
}

/**
 * Limits what one connection may send, which anybody can open. Socket.IO decodes and parses everything before it knows
 * who sent it: a body full of separators would block the event loop for seconds, and attachments fill the memory.
 */
export function limitPackets(connection: Connection): PacketLimits {
  let maxBytes = MAX_BYTES_BEFORE_LOGIN;
  let logins = 0;
  let pending = 0;
  let inTurn = 0;
  let isScheduled = false;
  let paused: Transport["socket"];
  let upgrading: Transport | undefined;

  function refuse(): void {
    // The packet has been decoded, but not yet delivered.
    connection.removeAllListeners("data");
    terminate(connection);
  }

  /** In the next turn: resumed in this one, the socket would deliver the rest of its 2 MB at once. */
  function resumeLater(): void {
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(resume);
  }

  function resume(): void {
    isScheduled = false;
    inTurn = 0;
    if (pending > MAX_PENDING) return;
    paused?.resume();
    paused = undefined;
  }

  function throttle(): void {
    inTurn++;
    resumeLater();
    if (paused !== undefined || (inTurn <= MAX_PACKETS_PER_TURN && pending <= MAX_PENDING)) return;
    paused = connection.transport.socket;
    paused?.pause();
  }

  limitTransport(connection.transport, maxBytes);
  connection.transport.onData = limitPosts(connection.transport, refuse);
  connection.on("upgrading", (transport) => {
    upgrading = transport;
    limitTransport(transport, maxBytes);
  });
  connection.on("packet", ({ type, data }) => {
    throttle();
    if (type !== "message") return;
    if (data?.[0] === "0" && ++logins > MAX_LOGINS) refuse();
    else if (!isAcceptable(data, maxBytes)) refuse();
  });

  return {
    onLogin(): void {
      maxBytes = MAX_MESSAGE_BYTES;
      limitTransport(connection.transport, maxBytes);
      if (upgrading !== undefined) limitTransport(upgrading, maxBytes);
    },
    begin(): () => void {
      pending++;
      if (pending > MAX_PENDING_PER_POLLER) refuse();
      return () => {
        pending--;
        if (paused !== undefined && pending <= MAX_PENDING) resumeLater();
      };
    },
  };
}

/** Socket.IO has one limit for all connections. Its own message for a longer one: 413, or close code 1009. */
function limitTransport(transport: Transport, maxBytes: number): void {
  if (transport.socket === undefined) transport.maxHttpBufferSize = maxBytes;
  else transport.socket._receiver._maxPayload = maxBytes;
}

function limitPosts(transport: Transport, refuse: () => void): Transport["onData"] {
  const onData = transport.onData.bind(transport);
  return (body) => {
    let packets = 1;
    for (let at = body.indexOf(SEPARATOR); at >= 0; at = body.indexOf(SEPARATOR, at + 1))
      if (++packets > MAX_PACKETS_PER_POST) return refuse();
    onData(body);
  };
}

/** No request of this service has binary data, which Socket.IO collects before it delivers a packet. */
function isAcceptable(data: unknown, maxBytes: number): boolean {
  if (typeof data !== "string" || data.length > maxBytes) return false;
  if (data.length <= MAX_BYTES_BEFORE_LOGIN) return true;
  const { isDeep, values } = shapeOf(data, MAX_DEPTH);
  return !isDeep && values <= MAX_JSON_VALUES;
}
