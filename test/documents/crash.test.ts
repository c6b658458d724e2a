import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openConnection } from "../../server/storage/sqlite/connection.ts";
import { DATABASE_FILE } from "../../server/storage/sqlite/sqlite-db.ts";
import { lines, pdfOf } from "../support/pdf.ts";
import { startService } from "../support/service-process.ts";
import { temporaryFolder } from "../support/test-app.ts";
import { formOf, MULTIPART } from "./upload.ts";
import { startWordEmbeddings, type WordEmbeddings } from "./word-embeddings.ts";

let words: WordEmbeddings;
let dataDir: string;
beforeAll(async () => {
  words = await startWordEmbeddings();
  dataDir = await temporaryFolder();
});
afterAll(async () => {
  await words.close();
  await rm(dataDir, { recursive: true, force: true });
});

const account = { email: "ada@example.com", password: "long enough" };

async function tokenOf(address: string, path: "register" | "login"): Promise<Record<string, string>> {
  const answer = await fetch(`${address}/api/auth/${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(account),
  });
  return { authorization: `Bearer ${((await answer.json()) as { token: string }).token}` };
}

test("[R21] a kill -9 in the middle of an upload leaves the whole document after the next start, or nothing", async () => {
  const first = startService({ DATA_DIR: dataDir, ...words.settings });
  const address = await first.ready();
  const authorization = await tokenOf(address, "register");
  const send = (body: NonNullable<RequestInit["body"]>) =>
    fetch(`${address}/api/v1/documents/upload`, {
      method: "POST",
      headers: { ...authorization, "content-type": MULTIPART },
      body,
      ...({ duplex: "half" } as object),
    }).then(
      () => "answered",
      () => "cut off",
    );
  // Enough text for several slices: the embedding service responds to the first ones and to no other.
  const pages = Array.from({ length: 60 }, (_, i) =>
    lines(
      Array.from(
        { length: 30 },
        (_line, j) => `Line ${j} of page ${i} tells of valve ${i * 30 + j} and its oil.`,
      ),
    ),
  );
  const form = formOf([{ name: "file", value: await pdfOf(pages), fileName: "valves.pdf" }]);
  const held = new Promise<void>((resolve) => {
    words.beforeAnswer = async (texts) => {
      if (!texts.some((text) => text.includes("of page 20 "))) return;
      resolve();
      await new Promise(() => {});
    };
  });
  const whole = send(form);
  // A second upload whose body never ends.
  const half = send(
    new ReadableStream({
      pull(controller) {
        controller.enqueue(form.subarray(0, 5000));
        return new Promise(() => {});
      },
    }),
  );
  await held;
  await expect
    .poll(() => readdir(join(dataDir, "documents", "incoming")), { timeout: 20_000 })
    .toHaveLength(1);
  await first.stop("SIGKILL");
  expect(await Promise.all([whole, half])).toEqual(["cut off", "cut off"]);
  words.beforeAnswer = () => Promise.resolve();

  const database = openConnection(join(dataDir, DATABASE_FILE));
  const count = (table: string) =>
    (database.prepare(`select count(*) as n from ${table}`).all() as { n: number }[])[0]?.n ?? 0;
  // The kill came during ingestion: there are chunks and no vectors.
  expect(count("document_chunk")).toBeGreaterThan(0);
  expect(count("document_vectors")).toBe(0);
  database.close();

  const second = startService({ DATA_DIR: dataDir, ...words.settings });
  const restarted = await second.ready();
  const login = await tokenOf(restarted, "login");
  const list = async () => {
    const answer = await fetch(`${restarted}/api/v1/documents`, { headers: login });
    return ((await answer.json()) as { documents: Record<string, unknown>[] }).documents;
  };
  await expect
    .poll(list, { timeout: 25_000 })
    .toMatchObject([{ status: "indexed", pages: 60, title: "valves" }]);
  const [document] = await list();
  const answer = await fetch(`${restarted}/api/v1/documents/query`, {
    method: "POST",
    headers: { ...login, "content-type": "application/json" },
    body: JSON.stringify({ query: "Which page tells of valve 1234?" }),
  });
  const { sources } = (await answer.json()) as { sources: { page: number; quote: string }[] };
  expect(sources.some(({ page, quote }) => page === 42 && quote.includes("valve 1234"))).toBe(true);
  expect(await second.stop()).toBe(0);

  expect(await readdir(join(dataDir, "documents"))).toEqual([`${document?.["document_id"] as string}.pdf`]);
  const after = openConnection(join(dataDir, DATABASE_FILE));
  const [chunks] = after.prepare("select count(*) as n from document_chunk").all();
  expect(chunks).toEqual({ n: document?.["chunks"] });
  // Terms that were counted before the crash count once.
  const [term] = after.prepare("select max(chunks) as n from document_term").all();
  expect(term).toEqual(chunks);
  after.close();
});
