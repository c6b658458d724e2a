import type { IncomingMessage } from "node:http";
import type { Socket } from "socket.io";

const MAX_BUFFERED_PACKETS = 10_000;
const MAX_BUFFERED_CHARACTERS = 8 * 1024 * 1024;
/** More is sent when the client has read this. */
const DRAINING_CHARACTERS = 1024 * 1024;
/** A client that reads nothing for so long has to rejoin. */
const STALL_MS = 30_000;

/** Parts of engine.io that its types leave out or declare private, without a public equivalent. */
export interface Transport {
  /** Of long polling. */
  maxHttpBufferSize?: number;
  onData(body: string): void;
  /** Of WebSocket. */
  socket?: { terminate(): void; pause(): void; resume(): void; _receiver: { _maxPayload: number } };
}

export interface Connection {
  /** The first one of the connection. */
  request: IncomingMessage;
  transport: Transport;
  /** Packets that are not yet written. */
  writeBuffer: { data?: unknown }[];
  on(event: "packet", listener: (packet: { type: string; data?: string | Buffer }) => void): unknown;
  on(event: "upgrading", listener: (transport: Transport) => void): unknown;
  on(event: "drain", listener: () => void): unknown;
  once(event: "close", listener: () => void): unknown;
  removeListener(event: "drain" | "close", listener: () => void): unknown;
  removeAllListeners(event: "data"): unknown;
  close(discard: boolean): void;
}

export function connectionOf(socket: Pick<Socket, "conn">): Connection {
  return socket.conn as unknown as Connection;
}

/** Ends a connection at once: a closing handshake would wait 30 s for a client that does not read. */
export function terminate(connection: Connection): void {
  connection.transport.socket?.terminate();
  connection.close(true);
}

/** Disconnects a client that does not read, before its buffer fills the memory; it resumes with `after`. */
export function dropIfSlow(socket: Pick<Socket, "conn"> | undefined): void {
  if (socket === undefined) return;
  const connection = connectionOf(socket);
  const { writeBuffer } = connection;
  // The common case, checked after every event of every client.
  if (writeBuffer.length === 0) return;
  if (writeBuffer.length <= MAX_BUFFERED_PACKETS && buffered(connection) <= MAX_BUFFERED_CHARACTERS) return;
  terminate(connection);
}

interface Delivery {
  send(): void;
  done(): void;
}

/** What waits for a client to read, in the order of arrival: of all war rooms and sessions of a connection. */
const waiting = new WeakMap<Connection, Delivery[]>();

/**
 * Sends now, or when the client has read most of what was sent before, and then resolves. Sessions that catch up
 * together take turns: each with a message of a megabyte, they would exceed what a slow client may leave unread.
 */
export function sendInTurn(socket: Pick<Socket, "conn">, send: () => void): void | Promise<void> {
  const connection = connectionOf(socket);
  const isQueued = waiting.has(connection);
  if (!isQueued && !isFull(connection)) return send();
  return new Promise((resolve) => {
    const delivery = { send, done: resolve };
    if (isQueued) waiting.get(connection)!.push(delivery);
    else openQueue(connection, delivery);
  });
}

function openQueue(connection: Connection, first: Delivery): void {
  const queue = [first];
  waiting.set(connection, queue);
  const stalled = setTimeout(() => terminate(connection), STALL_MS).unref();
  const onDrain = (): void => {
    stalled.refresh();
    while (queue.length > 0 && !isFull(connection)) {
      const { send, done } = queue.shift()!;
      send();
      done();
    }
    if (queue.length === 0) end();
  };
  const end = (): void => {
    clearTimeout(stalled);
    waiting.delete(connection);
    connection.removeListener("drain", onDrain);
    connection.removeListener("close", end);
    for (const { done } of queue) done();
  };
  connection.on("drain", onDrain);
  connection.once("close", end);
}

function isFull(connection: Connection): boolean {
  return connection.writeBuffer.length > 0 && buffered(connection) >= DRAINING_CHARACTERS;
}

function buffered({ writeBuffer }: Connection): number {
  return writeBuffer.reduce((sum, { data }) => sum + (typeof data === "string" ? data.length : 0), 0);
}
