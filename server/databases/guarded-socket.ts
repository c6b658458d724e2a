import { connect, isIP, type Socket } from "node:net";
import { AppError } from "../lib/errors.ts";
import { answerWith, type Egress } from "../security/egress.ts";

export interface SocketTarget {
  host: string;
  port: number;
}

/** How often the received bytes are compared with the budget. */
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
  return connect({ host, port, lookup: answerWith(addresses), autoSelectFamily: true, noDelay: true });
}

/**
 * Destroys the socket with an error once it has received more than `maxBytes`. Drivers hold a whole row or value in
 * memory before they pass it on, so their own callbacks are too late for a value of a gigabyte.
 */
export function limitReceivedBytes(socket: Socket, maxBytes: number, error: () => Error): void {
  const timer = setInterval(() => {
    if (socket.bytesRead > maxBytes) socket.destroy(error());
  }, CHECK_MS).unref();
  socket.once("close", () => clearInterval(timer));
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
