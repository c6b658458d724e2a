import { chmodSync, chownSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { openPostgres } from "../../server/storage/postgres/open-postgres.ts";
import { asAdmin } from "../support/postgres.ts";
import { type PostgresServer, startPostgres } from "../support/postgres-server.ts";
import { SELF_SIGNED } from "../support/self-signed.ts";

let server: PostgresServer;
let certificateFile: string;

beforeAll(async () => {
  server = await startPostgres();
  const data = join(server.folder, "data");
  const { uid, gid } = statSync(data);
  for (const [name, text] of Object.entries({ crt: SELF_SIGNED.certificate, key: SELF_SIGNED.key })) {
    const file = join(data, `server.${name}`);
    writeFileSync(file, text);
    chownSync(file, uid, gid);
    chmodSync(file, 0o600);
  }
  certificateFile = join(data, "server.crt");
  await asAdmin(server.url, "alter system set ssl = on");
  await server.stop();
  await server.start();
});
afterAll(() => server.close());

function address(hostname: string, parameters: Record<string, string>): string {
  const url = Object.assign(new URL(server.url), { hostname });
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}

const ENCRYPTED = "select ssl from pg_stat_ssl where pid = pg_backend_pid()";

test.each(["prefer", "require", "verify-ca", "verify-full"])(
  "with sslmode=%s an untrusted certificate is refused, and the error says how to trust it",
  async (sslmode) => {
    const warnings: Error[] = [];
    const onWarning = (warning: Error): void => void warnings.push(warning);
    process.on("warning", onWarning);
    onTestFinished(() => void process.off("warning", onWarning));
    await expect(openPostgres({ url: address("localhost", { sslmode }) })).rejects.toMatchObject({
      code: "database_certificate",
      message: expect.stringMatching(/localhost.*DATABASE_URL.*self-signed certificate.*sslrootcert/),
    });
    await new Promise(setImmediate);
    expect(warnings).toEqual([]);
  },
);

test.each(["require", "verify-full"])(
  "with sslmode=%s a server whose certificate is in sslrootcert is trusted",
  async (sslmode) => {
    const db = await openPostgres({ url: address("localhost", { sslmode, sslrootcert: certificateFile }) });
    onTestFinished(() => db.close());
    expect(await db.query(ENCRYPTED)).toEqual([{ ssl: 1 }]);
    const received = new Promise(
      (resolve) => void db.listen("news", resolve).then(() => db.notify("news", "hello")),
    );
    expect(await received).toBe("hello");
  },
);

test("a certificate for another name is refused with both names", async () => {
  const url = address("127.0.0.1", { sslmode: "verify-full", sslrootcert: certificateFile });
  await expect(openPostgres({ url })).rejects.toMatchObject({
    code: "database_certificate",
    message: expect.stringMatching(/127\.0\.0\.1.*Use the host name that the certificate names/),
  });
});

test("no-verify encrypts and trusts any certificate", async () => {
  const db = await openPostgres({ url: address("127.0.0.1", { sslmode: "no-verify" }) });
  onTestFinished(() => db.close());
  expect(await db.query(ENCRYPTED)).toEqual([{ ssl: 1 }]);
});

test("a server without TLS is refused when sslmode requires it", async () => {
  const plain = await startPostgres();
  onTestFinished(() => plain.close());
  await expect(openPostgres({ url: `${plain.url}?sslmode=require` })).rejects.toMatchObject({
    code: "database_tls",
    message: expect.stringContaining("does not support encrypted connections"),
  });
});

test("a missing certificate authority file is reported with its name", async () => {
  const url = address("localhost", { sslmode: "require", sslrootcert: "/nowhere/ca.pem" });
  await expect(openPostgres({ url })).rejects.toMatchObject({
    code: "database_address",
    message: expect.stringMatching(/^DATABASE_URL.*\/nowhere\/ca\.pem/),
  });
});
