import type { Socket } from "socket.io";

const MAX_BUFFERED_PACKETS = 1000;
const MAX_BUFFERED_CHARACTERS = 8 * 1024 * 1024;

/** Private in Socket.IO's types, without a public equivalent: the packets not yet written, and the raw socket. */
interface Inner {
  writeBuffer: { data?: unknown }[];
  transport: { socket?: { terminate?(): void } };
}

/** Disconnects a client that does not read, before its buffer fills the memory; it resumes with `after`. */
export function dropIfSlow(socket: Pick<Socket, "conn"> | undefined): void {
  if (socket === undefined) return;
  const { writeBuffer, transport } = socket.conn as unknown as Inner;
  // The common case, checked after every event of every client.
  if (writeBuffer.length === 0) return;
  const characters = writeBuffer.reduce(
    (sum, { data }) => sum + (typeof data === "string" ? data.length : 0),
    0,
  );
  if (writeBuffer.length <= MAX_BUFFERED_PACKETS && characters <= MAX_BUFFERED_CHARACTERS) return;
  // Terminated, since a closing handshake would wait 30 s for a client that does not read.
  transport.socket?.terminate?.();
  socket.conn.close(true);
}
