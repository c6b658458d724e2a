import { readdir, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { insertAccounts, openTestDb, type TestDb } from "../../test/support/open-db.ts";
import { createId } from "../lib/ids.ts";
import { limitsOf } from "../limits/testing/limits-of.ts";
import type { Platform } from "../platform/part.ts";
import { createPrunableTasks } from "../retention/task-retention.sql.ts";
import { createEngineStore } from "../storage/engine/engine-store.ts";
import { newTask } from "../engine/testing/store-samples.ts";
import { createFolderStores } from "../storage/files/folder-store.ts";
import { createRunFilesPart } from "./part.ts";
import { createRunFileStore } from "./run-file.sql.ts";
import { openRunFiles } from "./testing/open-run-files.ts";

let opened: TestDb;
beforeEach(async () => {
  opened = await openTestDb();
});
afterEach(() => opened.close());

const OWNER = "user_a";
const bytes = (content: string) => Readable.from([Buffer.from(content)]);
const target = { ownerId: OWNER, taskId: null };
const storedFiles = () => readdir(join(opened.folder, "run-files", OWNER)).catch(() => []);
const incoming = () => readdir(join(opened.folder, "run-files", "incoming")).catch(() => []);
const rows = async (table: string) =>
  Number((await opened.db.query(`select count(*) as n from ${table}`))[0]?.["n"]);

async function acceptTask(input: object, more: object = {}): Promise<string> {
  const store = createEngineStore(opened.db, 0, { has: () => false } as never);
  const task = { ...newTask({ ownerId: OWNER }), id: createId("task"), input: input as never, ...more };
  expect((await store.accept(task)).inserted).toBe(true);
  return task.id;
}

async function removeTask(taskId: string): Promise<void> {
  await opened.db.batch([
    { sql: "update task set status = 'completed' where id = $taskId", params: { taskId } },
  ]);
  expect(await createPrunableTasks(opened.db).remove([taskId])).toEqual([taskId]);
}

test("a file is stored with its size and type, and read whole or in part by its owner only", async () => {
  const files = openRunFiles(opened);
  const reference = await files.create(target, { name: "../a/orders.csv" }, bytes("id,name\n1,Ada\n"));
  expect(reference).toEqual({
    file: expect.stringMatching(/^file_/),
    name: "orders.csv",
    contentType: "text/csv",
    size: 14,
  });
  expect(await text((await files.open(OWNER, reference.file)).stream)).toBe("id,name\n1,Ada\n");
  const part = await files.open(OWNER, reference.file, { start: 8, end: 12 });
  expect(await text(part.stream)).toBe("1,Ada");
  await expect(files.open("user_b", reference.file)).rejects.toMatchObject({ code: "forbidden" });
  await expect(files.find(OWNER, createId("file"))).rejects.toMatchObject({ code: "file_not_found" });
  expect(await incoming()).toEqual([]);
});

test("a file over a limit fails while it arrives and leaves no row and no bytes", async () => {
  const files = openRunFiles(opened, { file_bytes: 10, owner_file_bytes: 15 });
  await expect(files.create(target, { name: "a" }, bytes("x".repeat(11)))).rejects.toMatchObject({
    code: "payload_too_large",
    details: { limit: "MAX_FILE_BYTES" },
  });
  await expect(
    files.create({ ...target, taskId: "task_1" }, { name: "a" }, bytes("x".repeat(11))),
  ).rejects.toMatchObject({ code: "output_too_large" });
  await files.create(target, { name: "a" }, bytes("x".repeat(10)));
  await expect(files.create(target, { name: "b" }, bytes("x".repeat(6)))).rejects.toMatchObject({
    code: "limit_reached",
    details: { limit: "FILE_BYTES_PER_OWNER" },
  });
  expect([await rows("run_file"), (await storedFiles()).length, await incoming()]).toEqual([1, 1, []]);
  expect(await files.usage(OWNER)).toBe(10);
});

test("two files that arrive at once share the limit of their owner", async () => {
  const files = openRunFiles(opened, { owner_file_bytes: 15 });
  let release = (): void => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  async function* slow() {
    yield Buffer.alloc(10);
    await held;
  }
  const first = files.create(target, { name: "a" }, slow());
  async function* second() {
    // The first piece of the first file is written by now: its file exists.
    await expect.poll(incoming).toHaveLength(2);
    yield Buffer.alloc(10);
  }
  await expect(files.create(target, { name: "b" }, second())).rejects.toMatchObject({
    code: "limit_reached",
  });
  release();
  await first;
});

test("a file counts what was stored while it arrived, also by another process", async () => {
  const files = openRunFiles(opened, { owner_file_bytes: 15 });
  const otherProcess = openRunFiles(opened, { owner_file_bytes: 15 });
  async function* slow() {
    yield Buffer.alloc(10);
    await otherProcess.create(target, { name: "b" }, bytes("x".repeat(10)));
  }
  await expect(files.create(target, { name: "a" }, slow())).rejects.toMatchObject({
    code: "limit_reached",
    details: { limit: "FILE_BYTES_PER_OWNER" },
  });
  expect([await files.usage(OWNER), (await storedFiles()).length, await incoming()]).toEqual([10, 1, []]);
});

test("of files that are stored at the same moment by several processes, only those within the limit are kept", async () => {
  await insertAccounts(opened.db, [OWNER]);
  const store = createRunFileStore(opened.db);
  const insert = () =>
    store.insert(
      OWNER,
      { file: createId("file"), name: "a", contentType: "text/plain", size: 10 },
      { now: Date.now(), maxBytes: 35 },
    );
  const kept = await Promise.all(Array.from({ length: 8 }, insert));
  expect(kept.filter(Boolean)).toHaveLength(3);
  expect(await store.bytesOf(OWNER)).toBe(30);
});

test("incomplete files are removed every hour", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  try {
    const part = createRunFilesPart({
      config: { dataDir: opened.folder },
      db: opened.db,
      files: createFolderStores(opened.folder),
      limits: limitsOf(),
      report: (error: unknown) => expect.unreachable(String(error)),
    } as unknown as Platform);
    const path = await part.runFiles.newPath();
    part.start!();
    await writeFile(path, "x");
    await utimes(path, 0, 0);
    vi.advanceTimersByTime(3600_000);
    await expect.poll(incoming).toEqual([]);
    await part.close!();
    expect(vi.getTimerCount()).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});

test("a file is kept while a task uses it, and deleted with the last one", async () => {
  const files = openRunFiles(opened);
  const reference = await files.create(target, { name: "a.txt" }, bytes("hello"));
  const first = await acceptTask({ attachment: reference });
  const second = await acceptTask({ list: [{ nested: reference }] });
  const replay = await acceptTask({}, { parentTaskId: first });
  expect(await files.dropUnlinked(Date.now() + 1, 10)).toBe(0);
  await removeTask(first);
  await removeTask(second);
  expect(await files.dropUnlinked(Date.now() + 1, 10)).toBe(0);
  expect(await storedFiles()).toEqual([reference.file]);
  await removeTask(replay);
  expect(await files.dropUnlinked(0, 10)).toBe(1);
  expect([await rows("run_file"), await rows("task_file"), await storedFiles()]).toEqual([0, 0, []]);
});

test("a task links no file of another owner", async () => {
  const files = openRunFiles(opened);
  const reference = await files.create({ ownerId: "user_b", taskId: null }, { name: "a" }, bytes("x"));
  await acceptTask({ attachment: reference });
  expect(await rows("task_file")).toBe(0);
});

test("a crash before the bytes are stored leaves a row that the sweep deletes, later than an upload may take", async () => {
  const files = openRunFiles(opened);
  const lost = { file: createId("file"), name: "a", contentType: "text/plain", size: 3 };
  await createRunFileStore(opened.db).insert(OWNER, lost, { now: Date.now(), maxBytes: 0 });
  expect(await files.dropUnlinked(Date.now() - 3600_000, 10)).toBe(0);
  expect(await files.dropUnlinked(Date.now(), 10)).toBe(1);
  expect(await rows("run_file")).toBe(0);
});

test("a sweep that crashed between the bytes and the row is finished by the next one", async () => {
  const files = openRunFiles(opened);
  const reference = await files.create(target, { name: "a" }, bytes("x"));
  const [taken] = await createRunFileStore(opened.db).takeUnlinked(Date.now(), 10);
  expect(taken).toEqual({ id: reference.file, ownerId: OWNER });
  await acceptTask({ attachment: reference });
  await expect(files.find(OWNER, reference.file)).rejects.toMatchObject({ code: "file_not_found" });
  expect(await files.dropUnlinked(0, 10)).toBe(1);
  expect([await rows("run_file"), await rows("task_file"), await storedFiles()]).toEqual([0, 0, []]);
});
