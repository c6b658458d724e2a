import { connect, createServer, type AddressInfo, type Socket } from "node:net";

export interface TcpProxy {
  /** The target URL with the address of the proxy. */
  url: string;
  /** Closes every connection. */
  cut(): void;
  /** Drops the responses after the next message that contains this text; resolves when one was dropped. */
  loseAnswersTo(text: string): Promise<void>;
  /** Delays all traffic without closing connections. */
  freeze(): void;
  /** Resumes the delayed traffic. */
  heal(): void;
  close(): Promise<void>;
}

/** A TCP proxy that simulates network failures. */
export async function startTcpProxy(target: string): Promise<TcpProxy> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let fatalText: string | undefined;
  let losing = false;
  let frozen = false;
  let lost: (() => void) | undefined;

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
      if (fatalText !== undefined && chunk.includes(fatalText)) {
        losing = true;
        fatalText = undefined;
      }
      upstream.write(chunk);
    });
    upstream.on("data", (chunk) => {
      if (losing) lost?.();
      else client.write(chunk);
    });
    if (frozen) for (const socket of [client, upstream]) socket.pause();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const cut = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: Object.assign(new URL(target), { host: `127.0.0.1:${(server.address() as AddressInfo).port}` }).href,
    cut,
    loseAnswersTo(text) {
      fatalText = text;
      return new Promise((resolve) => (lost = resolve));
    },
    freeze() {
      frozen = true;
      for (const socket of sockets) socket.pause();
    },
    heal() {
      losing = false;
      frozen = false;
      for (const socket of sockets) socket.resume();
    },
    async close() {
      cut();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
