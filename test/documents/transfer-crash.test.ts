import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openConnection } from "../../server/storage/sqlite/connection.ts";
import { DATABASE_FILE } from "../../server/storage/sqlite/sqlite-db.ts";
import { startService } from "../support/service-process.ts";
import { useTemporaryFolder } from "../support/test-app.ts";
import { formOf, MULTIPART } from "./upload.ts";
import { startWordEmbeddings } from "./word-embeddings.ts";

test("a kill -9 in the middle of a move or a copy of a document loses nothing: the next start continues", async () => {
  const words = await startWordEmbeddings();
  onTestFinished(() => words.close());
  const dataDir = await useTemporaryFolder();
  const settings = { DATA_DIR: dataDir, ALLOW_REGISTRATION: "true", ...words.settings };
  let service = startService(settings);
  let address = await service.ready();
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

  /** Kills the service while a count of rows is 1: the write lock keeps that true until the process has ended. */
  async function killWhile(rows: string): Promise<void> {
    const isTrue = () => {
      database.exec("begin immediate");
      const { n } = one(`select count(*) as n from ${rows}`);
      if (n !== 1) database.exec("rollback");
      return n;
    };
    await expect.poll(isTrue, { interval: 1, timeout: 60_000 }).toBe(1);
    await service.stop("SIGKILL");
    database.exec("rollback");
  }
  async function startAgain(): Promise<void> {
    service = startService(settings);
    address = await service.ready();
  }

  const { id: copyId } = await call(`/api/v1/documents/${id}/copy`, { workspaceId: third });
  await killWhile(`document where id = '${copyId}' and status = 'processing'
    and exists (select 1 from document_chunk where document_id = '${copyId}')`);
  await startAgain();
  expect(await call(`/api/v1/documents/${id}/move`, { workspaceId: target })).toMatchObject({ id });
  await killWhile(`document where id = '${id}' and owner_id = '${target}' and former_owner_id is not null
    and moved_chunks > 0`);
  await startAgain();
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
  expect(await service.stop()).toBe(0);
  expect((await readdir(join(dataDir, "documents"))).toSorted()).toEqual(
    [`${id}.pdf`, `${copyId}.pdf`].toSorted(),
  );
}, 240_000);
