import type { Socket } from "socket.io";

/** A client that does not read is dropped; with `after` it comes back to where it was. */
const MAX_BUFFERED_PACKETS = 1000;
const MAX_BUFFERED_CHARACTERS = 8 * 1024 * 1024;

/** What Socket.IO's types keep private and there is no other way to: what a client has not taken, and its socket. */
interface Inner {
  writeBuffer: { data?: unknown }[];
  transport: { socket?: { terminate?(): void } };
}

/** A client that does not take what it is sent is cut off: it comes back to where it was. */
export function dropIfSlow(socket: Pick<Socket, "conn"> | undefined): void {
  if (socket === undefined) return;
  const { writeBuffer, transport } = socket.conn as unknown as Inner;
  // Nearly always there is nothing in it.
  if (writeBuffer.length === 0) return;
  const characters = writeBuffer.reduce(
    (sum, { data }) => sum + (typeof data === "string" ? data.length : 0),
    0,
  );
  if (writeBuffer.length <= MAX_BUFFERED_PACKETS && characters <= MAX_BUFFERED_CHARACTERS) return;
  // Cut, not closed: a good-bye would wait half a minute for somebody who does not listen.
  transport.socket?.terminate?.();
  socket.conn.close(true);
}
