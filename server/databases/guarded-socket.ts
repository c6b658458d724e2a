import { connect, isIP, type Socket } from "node:net";
import { AppError } from "../lib/errors.ts";
import { answerWith, type Egress } from "../security/egress.ts";

export interface SocketTarget {
  host: string;
  port: number;
}

/** How often the received bytes are compared with the budget under TLS, where the socket emits no data. */
const CHECK_MS = 20;

/**
 * A socket that is connecting to an address of the host that the guard has checked. The driver gets the socket, never the
 * name: its own lookup could return another address.
 */
export async function openGuardedSocket(
  egress: Pick<Egress, "resolve">,
  { host, port }: SocketTarget,
): Promise<Socket> {
  const addresses = await egress.resolve(host, port).catch((error: unknown) => {
    throw error instanceof AppError ? error : connectionFailure({ host, port }, error);
  });
  return destroyOnThrow(
    connect({ host, port, lookup: answerWith(addresses), autoSelectFamily: true, noDelay: true }),
  );
}

/**
 * Destroys the socket with whatever a listener of it throws. Drivers parse messages of the server in its `data` event,
 * where an error that nobody catches would end the process: a hostile server needs one malformed message for that. A TLS
 * socket that a driver makes of the socket needs this too.
 */
export function destroyOnThrow<T extends Socket>(socket: T): T {
  const emit = socket.emit.bind(socket) as (...event: unknown[]) => boolean;
  const guarded = (...event: unknown[]): boolean => {
    try {
      return emit(...event);
    } catch (error) {
      socket.destroy(error as Error);
      return true;
    }
  };
  return Object.assign(socket, { emit: guarded });
}

/**
 * Destroys the socket with the error that `excess` returns for the bytes received in all, and since the returned function
 * was last called. Drivers hold a whole row or value in memory before they pass it on, so their own callbacks are too late
 * for a value of a gigabyte.
 */
export function limitReceivedBytes(
  socket: Socket,
  excess: (total: number, held: number) => Error | undefined,
): () => number {
  let taken = 0;
  const isWithin = (): boolean => {
    const error = excess(socket.bytesRead, socket.bytesRead - taken);
    if (error !== undefined) socket.destroy(error);
    return error === undefined;
  };
  const emit = socket.emit.bind(socket) as (...event: unknown[]) => boolean;
  // A `data` listener would start the flow before the driver listens.
  const checked = (...event: unknown[]): boolean => (event[0] !== "data" || isWithin()) && emit(...event);
  Object.assign(socket, { emit: checked });
  const timer = setInterval(isWithin, CHECK_MS).unref();
  socket.once("close", () => clearInterval(timer));
  return () => {
    const held = socket.bytesRead - taken;
    taken = socket.bytesRead;
    return held;
  };
}

/** Names host and system code only: texts of drivers may contain the user or an address of the private network. */
export function connectionFailure({ host, port }: SocketTarget, cause: unknown): AppError {
  const { code, message = "" } = cause as { code?: unknown; message?: string };
  const plainCode = typeof code === "string" && /^\w{1,60}$/.test(code) ? code : "no reason given";
  const reason = tlsReasonOf(message) ?? plainCode;
  return new AppError(
    "connection_failed",
    `The connection to ${isIP(host) === 6 ? `[${host}]` : host}:${port} failed (${reason}).`,
    { retryable: true, cause },
  );
}

function tlsReasonOf(message: string): string | undefined {
  if (/does not support (SSL|secure)/i.test(message))
    return "the server does not support TLS; add ?sslmode=disable to the URL if its network is private";
  return /certificate|altnames/i.test(message)
    ? "the certificate of the server is not valid for this host"
    : undefined;
}
