import { createServer, type AddressInfo, type Socket } from "node:net";
import { TLSSocket } from "node:tls";
import { SELF_SIGNED } from "../../../../test/support/self-signed.ts";

export const message = (type: string, body: Buffer = Buffer.alloc(0)): Buffer =>
  Buffer.concat([Buffer.from(type), int32(body.length + 4), body]);
export const int16 = (value: number): Buffer => Buffer.from([(value >> 8) & 255, value & 255]);
export function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
}
/** One column `a` of a type. */
export const columns = (oid: number): Buffer =>
  message(
    "T",
    Buffer.concat([
      int16(1),
      Buffer.from("a\0"),
      int32(0),
      int16(0),
      int32(oid),
      int16(-1),
      int32(-1),
      int16(0),
    ]),
  );
export const row = (text: string): Buffer =>
  message("D", Buffer.concat([int16(1), int32(Buffer.byteLength(text)), Buffer.from(text)]));
export const READY = message("Z", Buffer.from("I"));

export interface HostilePostgres {
  /** Also a connection that sends a cancel request. */
  onSecondConnection?(socket: Socket): void;
  tls?: boolean;
  /** Closes the connection when the client asks for it. */
  closes?: boolean;
}

/** Accepts a login, then answers the query with the given bytes. */
export async function startHostilePostgres(
  answer: readonly Buffer[] | ((socket: Socket) => void),
  { onSecondConnection, tls, closes }: HostilePostgres = {},
): Promise<{ port: number; close(): void }> {
  const sockets: Socket[] = [];
  function serve(socket: Socket): void {
    socket.on("error", () => undefined);
    socket.once("data", () => {
      socket.write(
        Buffer.concat([message("R", int32(0)), message("K", Buffer.concat([int32(1), int32(2)])), READY]),
      );
      socket.on("data", (data: Buffer) => {
        const type = String.fromCharCode(data[0]!);
        if (type === "Q") socket.write(Buffer.concat([message("C", Buffer.from("SET\0")), READY]));
        if (type === "X" && closes) socket.end();
        if (type !== "P") return;
        socket.write(Buffer.concat([message("1"), message("2")]));
        if (typeof answer === "function") answer(socket);
        else socket.write(Buffer.concat(answer));
      });
    });
  }
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.push(socket);
    socket.on("error", () => undefined);
    if (sockets.length > 1 && onSecondConnection) return onSecondConnection(socket);
    if (!tls) return serve(socket);
    socket.once("data", () => {
      socket.write("S");
      serve(new TLSSocket(socket, { isServer: true, cert: SELF_SIGNED.certificate, key: SELF_SIGNED.key }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    close() {
      server.close();
      sockets.forEach((socket) => socket.destroy());
    },
  };
}
