import { connect, createServer, type AddressInfo } from "node:net";

export interface PoolerOptions {
  mode: "session" | "transaction";
  /** Number of clients with a server connection at the same time; the others wait. */
  size: number;
}

/** BackendKeyData, near the end of a login: the process id of the server. */
const BACKEND_KEY_DATA = Buffer.from("K\0\0\0\x0c", "latin1");
/** ReadyForQuery in idle state: no transaction is open. */
const IDLE = Buffer.from("Z\0\0\0\x05I", "latin1");

/** Pools connections like PgBouncer: a login succeeds at once, a query may wait for a server connection. */
export async function startStubPooler(target: string, { mode, size }: PoolerOptions) {
  const { hostname, port } = new URL(target);
  const queue: (() => void)[] = [];
  let free = size;

  function release(): void {
    free += 1;
    if (queue.length > 0) acquire(queue.shift()!);
  }

  function acquire(begin: () => void): void {
    if (free === 0) return void queue.push(begin);
    free -= 1;
    begin();
  }

  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    const delayed: Buffer[] = [];
    let isLoggedIn = false;
    let connection: "none" | "waiting" | "assigned" = "none";
    const begin = (): void => {
      if (client.destroyed) return release();
      connection = "assigned";
      for (const chunk of delayed.splice(0)) client.write(chunk);
      client.resume();
    };
    client.on("data", (chunk) => {
      if (!isLoggedIn || connection === "assigned") return void upstream.write(chunk);
      client.pause();
      client.unshift(chunk);
      if (connection === "none") acquire(((connection = "waiting"), begin));
    });
    upstream.on("data", (chunk) => {
      // A notification between transactions waits until this client gets a server connection again.
      if (isLoggedIn && connection !== "assigned") return void delayed.push(chunk);
      const at = isLoggedIn ? -1 : chunk.indexOf(BACKEND_KEY_DATA);
      if (at !== -1) {
        isLoggedIn = true;
        chunk[at + BACKEND_KEY_DATA.length]! ^= 0x40;
      } else if (
        mode === "transaction" &&
        connection === "assigned" &&
        chunk.subarray(-IDLE.length).equals(IDLE)
      ) {
        connection = "none";
        release();
      }
      client.write(chunk);
    });
    client.on("close", () => {
      upstream.destroy();
      if (connection === "assigned") release();
      connection = "none";
    });
    upstream.on("close", () => client.destroy());
    for (const socket of [client, upstream]) socket.on("error", () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: Object.assign(new URL(target), { port: String((server.address() as AddressInfo).port) }).href,
    close: () => void server.close(),
  };
}
