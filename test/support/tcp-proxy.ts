import { connect, createServer, type AddressInfo, type Socket } from "node:net";

export interface TcpProxy {
  /** The target URL with the address of the proxy. */
  url: string;
  /** Closes every connection. */
  disconnectAll(): void;
  /** Drops the responses after the next message that contains this text; resolves when one was dropped. */
  dropResponsesTo(text: string): Promise<void>;
  /** Delays all traffic without closing connections. */
  pause(): void;
  /** Resumes traffic and stops dropping responses. */
  restore(): void;
  close(): Promise<void>;
}

/** A TCP proxy that simulates network failures. */
export async function startTcpProxy(target: string): Promise<TcpProxy> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let dropAfterText: string | undefined;
  let isDropping = false;
  let isPaused = false;
  let onDropped: (() => void) | undefined;

  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on("error", () => undefined);
      socket.on("close", () => {
        sockets.delete(socket);
        client.destroy();
        upstream.destroy();
      });
    }
    client.on("data", (chunk) => {
      if (dropAfterText !== undefined && chunk.includes(dropAfterText)) {
        isDropping = true;
        dropAfterText = undefined;
      }
      upstream.write(chunk);
    });
    upstream.on("data", (chunk) => {
      if (isDropping) onDropped?.();
      else client.write(chunk);
    });
    if (isPaused) for (const socket of [client, upstream]) socket.pause();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const disconnectAll = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: Object.assign(new URL(target), { host: `127.0.0.1:${(server.address() as AddressInfo).port}` }).href,
    disconnectAll,
    dropResponsesTo(text) {
      dropAfterText = text;
      return new Promise((resolve) => (onDropped = resolve));
    },
    pause() {
      isPaused = true;
      for (const socket of sockets) socket.pause();
    },
    restore() {
      isDropping = false;
      isPaused = false;
      for (const socket of sockets) socket.resume();
    },
    async close() {
      disconnectAll();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
