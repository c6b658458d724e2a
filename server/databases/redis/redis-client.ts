import type { Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { AppError } from "../../lib/errors.ts";
import { outputTooLarge } from "../../limits/limit-reached.ts";
import type { Egress } from "../../security/egress.ts";
import type { DatabaseTarget } from "../database-url.ts";
import { connectionFailure, limitReceivedBytes, openGuardedSocket } from "../guarded-socket.ts";
import { loginRefused, queryFailure } from "../sql/query-failure.ts";
import { tlsOptions, type TlsTrust } from "../sql/tls-options.ts";
import { createReplyReader, encodeCommand, RedisError, type RedisReply } from "./resp.ts";

export interface RedisDeps {
  egress: Pick<Egress, "resolve">;
  /** In tests: the certificate of their server. */
  trust?: TlsTrust | undefined;
}

export type SendCommand = (name: string, ...args: (string | number)[]) => Promise<RedisReply>;

/** From node to node of a cluster, per command. */
const MAX_REDIRECTS = 3;
const LOGIN = /^(NOAUTH|WRONGPASS|NOPERM)|invalid password|invalid username-password/i;
/** The password is not needed, so the URL may contain any. */
const NEEDS_NO_PASSWORD = /no password is set|without any password configured/;
const TRANSIENT = /^(LOADING|TRYAGAIN|CLUSTERDOWN|MASTERDOWN|BUSY|READONLY|OOM)\b/;

/**
 * Opens a connection, passes `send` to `work`, and closes it. A cluster's redirect to another port of the host opens a
 * connection to it, through the guard like the first one.
 */
export async function withRedis<T>(
  deps: RedisDeps,
  target: DatabaseTarget,
  { signal, maxReceivedBytes }: { signal: AbortSignal; maxReceivedBytes: number },
  work: (send: SendCommand) => Promise<T>,
): Promise<T> {
  const open: Socket[] = [];
  const closeAll = (): void => open.forEach((socket) => socket.destroy());

  async function connect(to: DatabaseTarget): Promise<SendCommand> {
    signal.throwIfAborted();
    const socket = await openSocket(deps, to, maxReceivedBytes);
    open.push(socket);
    if (signal.aborted) closeAll();
    const readReply = createReplyReader(socket);
    const send: SendCommand = (...words) => {
      socket.write(encodeCommand(words));
      return readReply();
    };
    if (to.password !== undefined) await logIn(send, to.user, to.password);
    const database = Number(to.database ?? 0) || 0;
    if (database !== 0) await send("SELECT", database);
    return send;
  }

  signal.addEventListener("abort", closeAll);
  let current = target;
  try {
    let sendThere = await connect(target);
    const send: SendCommand = async (...words) => {
      for (let redirects = 0; ; redirects++) {
        try {
          return await sendThere(...words);
        } catch (error) {
          const moved = redirects < MAX_REDIRECTS ? redirectOf(error, target) : undefined;
          if (moved === undefined) throw error;
          current = { ...target, port: moved };
          sendThere = await connect(current);
        }
      }
    };
    return await work(send);
  } catch (error) {
    signal.throwIfAborted();
    throw toFailure(error, current);
  } finally {
    signal.removeEventListener("abort", closeAll);
    closeAll();
  }
}

async function logIn(send: SendCommand, user: string | undefined, password: string): Promise<void> {
  try {
    await (user === undefined ? send("AUTH", password) : send("AUTH", user, password));
  } catch (error) {
    if (!(error instanceof RedisError && NEEDS_NO_PASSWORD.test(error.message))) throw error;
  }
}

async function openSocket(
  { egress, trust }: RedisDeps,
  target: DatabaseTarget,
  maxBytes: number,
): Promise<Socket> {
  const socket = await openGuardedSocket(egress, target);
  limitReceivedBytes(socket, (total) =>
    total > maxBytes
      ? outputTooLarge("value_bytes", `Redis sent more than ${maxBytes} bytes. Read fewer or smaller values.`)
      : undefined,
  );
  // The read in progress fails with the same error. Without a listener it would end the process.
  if (target.tls === "off") return socket.on("error", () => undefined);
  const secure = connectTls({ ...tlsOptions(target, trust), socket });
  socket.once("error", (error) => secure.destroy(error));
  return secure.on("error", () => undefined);
}

/**
 * The port in `MOVED 3999 10.0.0.2:6381`; without a host it is the same host. Only that host gets the password: a hostile
 * server could name any other.
 */
function redirectOf(error: unknown, target: DatabaseTarget): number | undefined {
  const [, host, port] = /^MOVED \d+ (\S*):(\d+)$/.exec((error as Error).message) ?? [];
  return port !== undefined && (host === "" || host === target.host) ? Number(port) : undefined;
}

function toFailure(error: unknown, target: DatabaseTarget): unknown {
  if (error instanceof AppError) return error;
  if (!(error instanceof RedisError)) return connectionFailure(target, error);
  const { message } = error;
  return LOGIN.test(message)
    ? loginRefused(target.host, error)
    : queryFailure(error, undefined, TRANSIENT.test(message));
}
