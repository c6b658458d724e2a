import { createServer, type AddressInfo, type Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";

export interface FakeRedis {
  port: number;
  /** The database that the last client chose. */
  selected(): string;
  /** Every key from now on belongs to the node at this address. */
  move(address: string | undefined): void;
  close(): Promise<void>;
}

interface FakeRedisOptions {
  password?: string;
  tls?: { cert: string; key: string };
}

type Reply = string | number | null | Reply[] | Error;
type Data = Map<string, string | string[] | Map<string, string> | Set<string>>;

/** Not a Redis server: it speaks RESP 2 and knows the commands of the `redis` step. `npm run test:databases` uses a real one. */
export async function startFakeRedis({ password, tls }: FakeRedisOptions = {}): Promise<FakeRedis> {
  const data: Data = new Map();
  const sockets = new Set<Socket>();
  let database = "0";
  let moved: string | undefined;

  function serve(socket: Socket): void {
    sockets.add(socket);
    let isOpen = password === undefined;
    let buffer = Buffer.alloc(0);
    socket.on("error", () => undefined);
    socket.on("close", () => sockets.delete(socket));
    socket.on("data", (chunk: Buffer) => {
      buffer = Buffer.concat([buffer, chunk]);
      for (let read = readCommand(buffer); read !== undefined; read = readCommand(buffer)) {
        buffer = buffer.subarray(read.end);
        const [name = "", ...args] = read.words;
        socket.write(encode(answer(name.toUpperCase(), args)));
      }
    });
    const answer = (name: string, args: string[]): Reply => {
      if (name === "AUTH") {
        isOpen = args.length === 1 && args[0] === password;
        return isOpen ? "+OK" : new Error("WRONGPASS invalid username-password pair or user is disabled.");
      }
      if (!isOpen) return new Error("NOAUTH Authentication required.");
      if (name === "SELECT") {
        database = args[0] ?? "0";
        return "+OK";
      }
      return moved === undefined ? run(data, name, args) : new Error(`MOVED 1 ${moved}`);
    };
  }

  const server = tls === undefined ? createServer(serve) : createTlsServer(tls, serve);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    selected: () => database,
    move: (address) => void (moved = address),
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}

/** A list of bulk strings: `*2\r\n$3\r\nGET\r\n$1\r\na\r\n`. */
function readCommand(buffer: Buffer): { words: string[]; end: number } | undefined {
  let at = 0;
  const line = (): string | undefined => {
    const end = buffer.indexOf("\r\n", at);
    if (end === -1) return undefined;
    const text = buffer.toString("utf8", at, end);
    at = end + 2;
    return text;
  };
  const count = Number(line()?.slice(1));
  const words: string[] = [];
  for (let i = 0; i < count; i++) {
    const length = Number(line()?.slice(1));
    if (Number.isNaN(length) || at + length + 2 > buffer.length) return undefined;
    words.push(buffer.toString("utf8", at, at + length));
    at += length + 2;
  }
  return Number.isNaN(count) ? undefined : { words, end: at };
}

function encode(reply: Reply): string {
  if (reply === null) return "$-1\r\n";
  if (reply instanceof Error) return `-${reply.message}\r\n`;
  if (typeof reply === "number") return `:${reply}\r\n`;
  if (Array.isArray(reply)) return `*${reply.length}\r\n${reply.map(encode).join("")}`;
  return reply.startsWith("+") ? `${reply}\r\n` : `$${Buffer.byteLength(reply)}\r\n${reply}\r\n`;
}

function run(data: Data, name: string, [key = "", ...args]: string[]): Reply {
  const value = data.get(key);
  const [list, hash, set] = [value as string[], value as Map<string, string>, value as Set<string>];
  switch (name) {
    case "PING":
      return "+PONG";
    case "GET":
      return (value as string) ?? null;
    case "SET": {
      if (args.includes("NX") && value !== undefined) return null;
      data.set(key, args[0] ?? "");
      return "+OK";
    }
    case "DEL":
      return data.delete(key) ? 1 : 0;
    case "EXISTS":
    case "PEXPIRE":
      return data.has(key) ? 1 : 0;
    case "INCRBY": {
      const sum = Number(value ?? 0) + Number(args[0]);
      data.set(key, String(sum));
      return sum;
    }
    case "RPUSH":
      if (typeof value === "string")
        return new Error("WRONGTYPE Operation against a key holding the wrong kind of value");
      data.set(key, [...(list ?? []), ...args]);
      return (list?.length ?? 0) + args.length;
    case "LPOP":
      return list?.shift() ?? null;
    case "LRANGE":
      return list ?? [];
    case "HSET": {
      const pairs = args.flatMap((field, i) => (i % 2 === 0 ? [[field, args[i + 1]!] as const] : []));
      data.set(key, new Map([...(hash ?? []), ...pairs]));
      return pairs.length;
    }
    case "HGETALL":
      return [...(hash ?? [])].flat();
    case "HMGET":
      return args.map((field) => hash?.get(field) ?? null);
    case "HDEL":
      return args.filter((field) => hash?.delete(field)).length;
    case "SADD":
      data.set(key, new Set([...(set ?? []), ...args]));
      return (data.get(key) as Set<string>).size - (set?.size ?? 0);
    case "SREM":
      return args.filter((member) => set?.delete(member)).length;
    case "SSCAN":
      return ["0", [...(set ?? [])]];
    case "SCAN":
      return ["0", [...data.keys()]];
    case "PUBLISH":
      return 0;
    default:
      return new Error(`ERR unknown command '${name}'`);
  }
}
