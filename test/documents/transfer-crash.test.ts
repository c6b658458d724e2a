import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openConnection } from "../../server/storage/sqlite/connection.ts";
import { DATABASE_FILE } from "../../server/storage/sqlite/sqlite-db.ts";
import { startService } from "../support/service-process.ts";
import { temporaryFolder } from "../support/test-app.ts";
import { formOf, MULTIPART } from "./upload.ts";
import { startWordEmbeddings } from "./word-embeddings.ts";

test("a kill -9 in the middle of a move or a copy of a document loses nothing: the next start continues", async () => {
  const words = await startWordEmbeddings();
  onTestFinished(() => words.close());
  const dataDir = await temporaryFolder();
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const settings = { DATA_DIR: dataDir, ALLOW_REGISTRATION: "true", ...words.settings };
  const first = startService(settings);
  let address = await first.ready();
  let token = "";
  const call = async (path: string, body?: object | Buffer, workspace?: string) => {
    const isForm = Buffer.isBuffer(body);
    const response = await fetch(address + path, {
      method: body === undefined ? "GET" : "POST",
      headers: {
        "content-type": isForm ? MULTIPART : "application/json",
        ...(token && { authorization: `Bearer ${token}` }),
        ...(workspace && { "x-workspace": workspace }),
      },
      ...(body && { body: isForm ? new Uint8Array(body) : JSON.stringify(body) }),
    });
    // oxlint-disable-next-line no-explicit-any
    return (await response.json()) as any;
  };
  ({ token } = await call("/api/auth/register", { email: "a@example.com", password: "four words of text" }));
  const target = (await call("/api/workspaces", { name: "Team" })).workspace.id as string;
  const third = (await call("/api/workspaces", { name: "Third" })).workspace.id as string;
  const text = Array.from({ length: 1500 }, (_, n) => `Line ${n} tells of the valve ${n} and its oil.`).join(
    "\n\n",
  );
  const file = formOf([{ name: "file", value: Buffer.from(text), fileName: "valves.txt" }]);
  const { document_id: id } = await call("/api/v1/documents/upload", file);
  const database = openConnection(join(dataDir, DATABASE_FILE));
  onTestFinished(() => database.close());
  const one = (sql: string) => database.prepare(sql).all()[0] as Record<string, unknown>;
  const { n: chunks } = one(`select count(*) as n from document_chunk where document_id = '${id}'`);
  const { n: terms } = one("select sum(chunks) as n from document_term");

  const { id: copyId } = await call(`/api/v1/documents/${id}/copy`, { workspaceId: third });
  await expect
    .poll(() => Number(one(`select count(*) as n from document_chunk where document_id = '${copyId}'`)["n"]))
    .toBeGreaterThan(0);
  expect(await call(`/api/v1/documents/${id}/move`, { workspaceId: target })).toMatchObject({ id });
  await first.stop("SIGKILL");
  expect(
    one(`select owner_id, former_owner_id is not null as moving from document where id = '${id}'`),
  ).toEqual({
    owner_id: target,
    moving: 1,
  });
  expect(one(`select status from document where id = '${copyId}'`)).toEqual({ status: "processing" });

  const second = startService(settings);
  address = await second.ready();
  const settled = () =>
    one(`select count(*) as n from document where status = 'indexed' and former_owner_id is null`)["n"];
  await expect.poll(settled, { timeout: 60_000 }).toBe(2);
  for (const [documentId, workspace] of [
    [id, target],
    [copyId, third],
  ]) {
    expect(one(`select count(*) as n from document_chunk where document_id = '${documentId}'`)).toEqual({
      n: chunks,
    });
    expect(one(`select sum(chunks) as n from document_term where owner_id = '${workspace}'`)).toEqual({
      n: terms,
    });
    const { sources } = await call("/api/v1/documents/query", { query: "valve 1234" }, workspace);
    expect(sources[0]).toMatchObject({ document_id: documentId });
    const stored = await fetch(`${address}/api/v1/documents/${documentId}/file`, {
      headers: { authorization: `Bearer ${token}`, "x-workspace": workspace },
    });
    expect(await stored.text()).toBe(text);
  }
  expect(one("select count(distinct owner_id) as n from document_term")).toEqual({ n: 2 });
  expect(await second.stop()).toBe(0);
  expect((await readdir(join(dataDir, "documents"))).toSorted()).toEqual(
    [`${id}.pdf`, `${copyId}.pdf`].toSorted(),
  );
}, 240_000);
