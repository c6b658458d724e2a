import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { indexFile, readRows } from "./file-index.ts";

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "baton-index-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** The items as a loop reads them. */
async function itemsOf(content: string | Buffer, rowsPerItem: number, format: "csv" | "jsonl" = "csv") {
  const path = join(folder, "file");
  await writeFile(path, content);
  const index = await indexFile(path, { format, rowsPerItem, maxItems: 1000 });
  const bytes = await readFile(path);
  const items = index.offsets
    .slice(1)
    .map((end, i) => readRows(bytes.subarray(index.offsets[i], end), index, 0));
  return items;
}

test("rows are split where they begin, whatever their cells contain", async () => {
  const content = '\uFEFFid,note\r\n1,"a, ""b""\r\nc"\r\n\r\n2,5" pipe\r\n3,"x"\n4,\n5,"say ""\n"" twice"';
  const rows = [
    { id: "1", note: 'a, "b"\r\nc' },
    { id: "2", note: '5" pipe' },
    { id: "3", note: "x" },
    { id: "4", note: "" },
    { id: "5", note: 'say "\n" twice' },
  ];
  expect(await itemsOf(content, 2)).toEqual([rows.slice(0, 2), rows.slice(2, 4), rows.slice(4)]);
  expect(await itemsOf(content, 1)).toEqual(rows.map((row) => [row]));
  expect((await itemsOf(content, 100)).flat()).toEqual(rows);
});

test("a first line with the separator is no row", async () => {
  expect(await itemsOf("\uFEFFsep=;\r\na;b\r\n1,5;2\r\n3;4\r\n", 1)).toEqual([
    [{ a: "1,5", b: "2" }],
    [{ a: "3", b: "4" }],
  ]);
});

test("the pieces in which a file is read make no difference", async () => {
  const row = (n: number) => `${n},"${"x\n".repeat(500)}"`;
  const content = `id,text\n${Array.from({ length: 3000 }, (_, n) => row(n)).join("\n")}\n`;
  expect(content.length).toBeGreaterThan(2 * 1024 * 1024);
  const items = await itemsOf(content, 700);
  expect(items.map((rows) => rows.length)).toEqual([700, 700, 700, 700, 200]);
  expect(items.flat().map((each) => Number((each as { id: string }).id))).toEqual(
    Array.from({ length: 3000 }, (_, n) => n),
  );
});

test("windows-1252 is recognized by its first letter beyond ASCII, however late it is", async () => {
  const content = Buffer.from(`name,price\n${"Smith,5\n".repeat(10_000)}M\xfcller,7 \x80\n`, "latin1");
  const items = await itemsOf(content, 10_000);
  expect(items.at(-1)).toEqual([{ name: "Müller", price: "7 €" }]);
});

test("JSON lines, an empty file and a file with names only", async () => {
  expect(await itemsOf('{"a":1}\n\n  {"a":2}\n[3]', 2, "jsonl")).toEqual([[{ a: 1 }, { a: 2 }], [[3]]]);
  expect(await itemsOf("", 2)).toEqual([]);
  expect(await itemsOf("id,name\n", 2)).toEqual([]);
});

test("a quote that is never closed, UTF-16 and too many items are refused", async () => {
  await expect(itemsOf(`id\n"${"x".repeat(5_000_000)}`, 1)).rejects.toMatchObject({
    code: "unreadable_file",
  });
  await expect(itemsOf(Buffer.from("\uFEFFid\n1\n", "utf16le"), 1)).rejects.toThrow("UTF-16");
  await expect(itemsOf(`id\n${"1\n".repeat(1001)}`, 1)).rejects.toMatchObject({
    code: "limit_reached",
    message: expect.stringContaining("batchSize"),
  });
});

test("a row or a header with more columns than a sheet of Excel is refused", async () => {
  const tooMany = { code: "unreadable_file", message: expect.stringContaining("at most 16384 are allowed") };
  await expect(itemsOf(`id,name\n1,${",".repeat(20_000)}`, 1)).rejects.toMatchObject(tooMany);
  await expect(itemsOf(`${"a,".repeat(20_000)}\n1,2`, 1)).rejects.toMatchObject(tooMany);
  const [[row]] = (await itemsOf(`id,name\n${",".repeat(16_383)}`, 1)) as [[object]];
  expect(Object.keys(row)).toHaveLength(16_384);
});

test("rows that repeat long names count as the value that they become", () => {
  const head = { delimiter: ",", encoding: "utf-8", names: ["n".repeat(1000)] };
  const rows = Buffer.from("1\n".repeat(100));
  expect(readRows(rows, head, 200_000)).toHaveLength(100);
  expect(() => readRows(rows, head, 50_000)).toThrow("larger than 50000 bytes as a value");
  const lines = { ...head, names: null };
  expect(() => readRows(Buffer.from("[[],[],[],[]]\n".repeat(100)), lines, 5000)).toThrow("larger than 5000");
});
