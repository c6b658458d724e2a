import type { Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import type { Redis } from "ioredis";
import { AppError } from "../../lib/errors.ts";
import { outputTooLarge } from "../../limits/limit-reached.ts";
import type { Egress } from "../../security/egress.ts";
import type { DatabaseTarget } from "../database-url.ts";
import {
  connectionFailure,
  destroyOnThrow,
  limitReceivedBytes,
  openGuardedSocket,
} from "../guarded-socket.ts";
import { loginRefused, queryFailure } from "../sql/query-failure.ts";
import { tlsOptions, type TlsTrust } from "../sql/tls-options.ts";

export interface RedisDeps {
  egress: Pick<Egress, "resolve">;
  /** In tests: the certificate of their server. */
  trust?: TlsTrust | undefined;
}

export type RedisReply = string | number | null | RedisReply[];
export type SendCommand = (name: string, ...args: (string | number)[]) => Promise<RedisReply>;

/** From node to node of a cluster, per command. */
const MAX_REDIRECTS = 3;
const LOGIN = /^(NOAUTH|WRONGPASS|NOPERM)|invalid password|invalid username-password/i;
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
  const { Redis: Client, AbstractConnector } = await import("ioredis");
  const open: Redis[] = [];
  const closeAll = (): void => open.forEach((client) => client.disconnect());

  async function connect(to: DatabaseTarget): Promise<Redis> {
    signal.throwIfAborted();
    const socket = await openSocket(deps, to, maxReceivedBytes);
    let fault: Error | undefined;
    socket.once("error", (error) => (fault = error));
    class GuardedConnector extends AbstractConnector {
      constructor() {
        super(0);
        this.stream = socket;
      }
      override async connect(): Promise<Socket> {
        return socket;
      }
    }
    const client = new Client({
      Connector: GuardedConnector as never,
      lazyConnect: true,
      retryStrategy: () => null,
      maxRetriesPerRequest: 0,
      enableReadyCheck: false,
      disableClientInfo: true,
      protocol: 2,
      ...(to.user !== undefined && { username: to.user }),
      ...(to.password !== undefined && { password: to.password }),
      db: to.database === undefined ? 0 : Number(to.database) || 0,
    });
    open.push(client);
    // A command in progress fails with the same error. Without a listener it would be printed.
    client.on("error", (error: Error) => (fault ??= error));
    await client.connect().catch((error: unknown) => {
      throw toFailure(fault ?? error, to);
    });
    return client;
  }

  signal.addEventListener("abort", closeAll);
  try {
    let current = await connect(target);
    let currentTarget = target;
    const send: SendCommand = async (name, ...args) => {
      for (let redirects = 0; ; redirects++) {
        try {
          return (await current.call(name, ...args)) as RedisReply;
        } catch (error) {
          const moved = redirects < MAX_REDIRECTS ? redirectOf(error, target) : undefined;
          if (moved === undefined) throw toFailure(current.stream?.errored ?? error, currentTarget);
          currentTarget = { ...target, port: moved };
          current = await connect(currentTarget);
        }
      }
    };
    return await work(send);
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    signal.removeEventListener("abort", closeAll);
    closeAll();
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
  if (target.tls === "off") return socket;
  const secure = destroyOnThrow(connectTls({ ...tlsOptions(target, trust), socket }));
  socket.once("error", (error) => secure.destroy(error));
  return secure;
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
  const known = error instanceof AppError ? error : (error as Error).cause;
  if (known instanceof AppError) return known;
  const { name, message } = error as Error;
  if (LOGIN.test(message)) return loginRefused(target.host, error);
  return name === "ReplyError"
    ? queryFailure(error, undefined, TRANSIENT.test(message))
    : connectionFailure(target, error);
}
