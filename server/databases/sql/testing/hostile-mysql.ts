import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { SELF_SIGNED } from "../../../../test/support/self-signed.ts";

/** PROTOCOL_41, SSL, SECURE_CONNECTION and PLUGIN_AUTH. */
const CAPABILITIES = 0x8_8a00;
const SSL_REQUEST_BYTES = 36;

export function packet(sequence: number, body: readonly number[] | Buffer): Buffer {
  const header = Buffer.alloc(4);
  header.writeUIntLE(body.length, 0, 3);
  header[3] = sequence;
  return Buffer.concat([header, Buffer.from(body)]);
}

export const OK = [0, 0, 0, 2, 0, 0, 0];

function greeting(): Buffer {
  const capabilities = Buffer.alloc(4);
  capabilities.writeUInt32LE(CAPABILITIES);
  return packet(
    0,
    Buffer.concat([
      Buffer.from("\n8.0.0\0\x01\0\0\x0012345678\0", "latin1"),
      capabilities.subarray(0, 2),
      Buffer.from([45, 2, 0]),
      capabilities.subarray(2),
      Buffer.from([21, ...Buffer.alloc(10)]),
      Buffer.from("123456789012\0mysql_native_password\0"),
    ]),
  );
}

/** Sends the given bytes when a client logs in. The login is packet 1, under TLS 2. */
export async function startHostileMySql(
  answer: Buffer,
  { tls = false }: { tls?: boolean } = {},
): Promise<{ port: number; close(): void }> {
  const sockets: Socket[] = [];
  const keep = (socket: Socket): Socket => {
    sockets.push(socket);
    return socket.on("error", () => undefined);
  };
  const afterLogin = (socket: Socket): void =>
    void keep(socket).once("data", () => {
      socket.write(answer);
    });
  const certificate = { cert: SELF_SIGNED.certificate, key: SELF_SIGNED.key };
  const secured = createTlsServer(certificate, afterLogin);
  const server = createServer((socket) => {
    keep(socket).write(greeting());
    if (!tls) return afterLogin(socket);
    socket.once("data", (data: Buffer) => {
      const inner = keep(connect(portOf(secured), "127.0.0.1"));
      inner.write(data.subarray(SSL_REQUEST_BYTES));
      socket.pipe(inner).pipe(socket);
    });
  });
  for (const each of [server, secured])
    await new Promise<void>((resolve) => each.listen(0, "127.0.0.1", resolve));
  return {
    port: portOf(server),
    close() {
      server.close();
      secured.close();
      sockets.forEach((socket) => socket.destroy());
    },
  };
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}
