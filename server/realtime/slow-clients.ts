import type { Socket } from "socket.io";

const MAX_BUFFERED_PACKETS = 10_000;
const MAX_BUFFERED_CHARACTERS = 8 * 1024 * 1024;
/** More is sent when the client has read this. */
const DRAINING_CHARACTERS = 1024 * 1024;

/** Parts of engine.io that its types leave out or declare private, without a public equivalent. */
export interface Transport {
  /** Of long polling. */
  maxHttpBufferSize?: number;
  onData(body: string): void;
  /** Of WebSocket. */
  socket?: { terminate(): void; pause(): void; resume(): void; _receiver: { _maxPayload: number } };
}

export interface Connection {
  remoteAddress: string;
  transport: Transport;
  /** Packets that are not yet written. */
  writeBuffer: { data?: unknown }[];
  on(event: "packet", listener: (packet: { type: string; data?: string | Buffer }) => void): unknown;
  on(event: "upgrading", listener: (transport: Transport) => void): unknown;
  once(event: "drain" | "close", listener: () => void): unknown;
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

/** One for all war rooms and sessions of a connection. */
const draining = new WeakMap<Connection, Promise<void>>();

/** Resolves when the client has read most of what was sent; undefined if it has. */
export function drained(socket: Pick<Socket, "conn">): Promise<void> | undefined {
  const connection = connectionOf(socket);
  if (connection.writeBuffer.length === 0 || buffered(connection) < DRAINING_CHARACTERS) return undefined;
  const pending = draining.get(connection) ?? nextDrain(connection);
  draining.set(connection, pending);
  return pending;
}

function nextDrain(connection: Connection): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      draining.delete(connection);
      connection.removeListener("drain", done);
      connection.removeListener("close", done);
      resolve();
    };
    connection.once("drain", done);
    connection.once("close", done);
  });
}

function buffered({ writeBuffer }: Connection): number {
  return writeBuffer.reduce((sum, { data }) => sum + (typeof data === "string" ? data.length : 0), 0);
}
