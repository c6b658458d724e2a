import { fdatasync, mkdtempSync, openSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import Fastify from "fastify";
import { openConnection } from "../server/storage/sqlite/connection.ts";

const kinds = ["node", "fastify", "storing"] as const;
export type EchoKind = (typeof kinds)[number];

const report = (port: number): void => console.log(`port ${port}`);

/** The baseline of all ratios: parses a JSON body and sends it back. */
const servers: Record<EchoKind, () => void> = {
  node() {
    const server = createServer((request, response) => {
      let text = "";
      request.on("data", (chunk: Buffer) => (text += chunk.toString()));
      request.on("end", () => {
        response.writeHead(200, { "content-type": "application/json" });
        response.end(JSON.stringify(JSON.parse(text)));
      });
    });
    server.listen(0, "127.0.0.1", () => report((server.address() as { port: number }).port));
  },
  fastify() {
    listen(async (body) => body);
  },
  storing() {
    const store = openStore();
    listen(async (body) => {
      await store(JSON.stringify(body));
      return body;
    });
  },
};

function listen(respond: (body: unknown) => Promise<unknown>): void {
  const app = Fastify();
  app.post("/", (request) => respond(request.body));
  void app.listen({ port: 0, host: "127.0.0.1" }).then((address) => report(Number(new URL(address).port)));
}

/** The least that a durable call does: one row in SQLite, and one wait for the disk. */
function openStore(): (text: string) => Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "baton-bench-"));
  const file = join(folder, "stored.sqlite");
  const connection = openConnection(file);
  connection.exec("pragma journal_mode = wal; pragma synchronous = normal");
  connection.exec("create table stored (id integer primary key, text text not null)");
  const insert = connection.prepare("insert into stored (text) values (?)");
  const wal = openSync(`${file}-wal`, "r+");
  const sync = promisify(fdatasync);
  process.once("SIGTERM", () => {
    connection.close();
    rmSync(folder, { recursive: true, force: true });
    process.exit();
  });
  return async (text) => {
    insert.run(text);
    await sync(wal);
  };
}

const kind = kinds.find((known) => known === process.argv[2]);
if (kind !== undefined) servers[kind]();
