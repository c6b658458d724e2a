import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { deflateRawSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestDb, type TestDb } from "../../test/support/open-db.ts";
import type { JsonValue } from "../../contract/placeholders/json-value.ts";
import type { FileReference } from "../../contract/file-reference.ts";
import { createConverter, type Converter } from "../convert/converter.ts";
import { limitsOf } from "../limits/testing/limits-of.ts";
import type { RunFiles } from "../run-files/run-files.ts";
import { openRunFiles } from "../run-files/testing/open-run-files.ts";
import { createConvertRunner } from "./convert.ts";
import { sampleCall } from "./testing/sample-call.ts";

const limits = limitsOf({ value_bytes: 1_000_000, file_bytes: 50_000_000 });
let opened: TestDb;
let files: RunFiles;
let converter: Converter;
let runner: ReturnType<typeof createConvertRunner>;

beforeAll(async () => {
  opened = await openTestDb();
  files = openRunFiles(opened);
  converter = createConverter({ queue: limits.share({ share: "conversions", slots: 2, perKey: 1 }) });
  runner = createConvertRunner({ converter, runFiles: files, limits });
});
afterAll(async () => {
  await converter.close();
  await opened.close();
});

const convert = async (fields: Record<string, JsonValue>): Promise<any> =>
  (await runner.run(sampleCall(fields))).output;
const read = (format: string, input: JsonValue, more: Record<string, JsonValue> = {}) =>
  convert({ operation: "read", format, input, ...more });
const write = (format: string, input: JsonValue, more: Record<string, JsonValue> = {}) =>
  convert({ operation: "write", format, input, ...more });
const fileOf = (content: string | Buffer, name = "data"): Promise<FileReference> =>
  files.create({ ownerId: "user_a", taskId: null }, { name }, Readable.from([Buffer.from(content)]));
const contentOf = async ({ file }: FileReference): Promise<string> =>
  text((await files.open("user_a", file)).stream);

/** A small writer of archives that may lie about sizes. */
function zipOf(name: string, content: Buffer, claimedBytes = content.length): Buffer {
  const data = deflateRawSync(content);
  const local = Buffer.alloc(30);
  local.writeUInt32LE(0x04034b50, 0);
  local.writeUInt16LE(20, 4);
  local.writeUInt16LE(8, 8);
  local.writeUInt32LE(data.length, 18);
  local.writeUInt32LE(claimedBytes, 22);
  local.writeUInt16LE(name.length, 26);
  const entry = Buffer.alloc(46);
  entry.writeUInt32LE(0x02014b50, 0);
  entry.writeUInt16LE(8, 10);
  entry.writeUInt32LE(data.length, 20);
  entry.writeUInt32LE(claimedBytes, 24);
  entry.writeUInt16LE(name.length, 28);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(1, 8);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(46 + name.length, 12);
  end.writeUInt32LE(30 + name.length + data.length, 16);
  return Buffer.concat([local, Buffer.from(name), data, entry, Buffer.from(name), end]);
}

describe("CSV", () => {
  test("rows are objects by the names of the first row, with quotes, line breaks and a found delimiter", async () => {
    const file = await fileOf('\uFEFFid;name;note\n1;"Ada ""A"" L";"two\nlines"\n\n2;Bob;\n', "a.csv");
    expect(await read("csv", file)).toEqual([
      { id: "1", name: 'Ada "A" L', note: "two\nlines" },
      { id: "2", name: "Bob", note: "" },
    ]);
    expect(await read("csv", "a,b\n1,2", { header: false })).toEqual([
      ["a", "b"],
      ["1", "2"],
    ]);
    expect(await read("csv", "a\tb\n1\t2", { delimiter: "\\t" })).toEqual([{ a: "1", b: "2" }]);
  });

  test("a first line with the separator is no row", async () => {
    const rows = [{ a: "1,5", b: "2" }];
    expect(await read("csv", "\uFEFFsep=;\r\na;b\r\n1,5;2\r\n")).toEqual(rows);
    expect(await read("csv", "sep=|\na|b\n1,5|2")).toEqual(rows);
    expect(await read("csv", "sep=x,b\n1,2")).toEqual([{ "sep=x": "1", b: "2" }]);
  });

  test("names that are missing, repeated or dangerous become others, and no cell is lost", async () => {
    expect(await read("csv", "a,a,,__proto__\n1,2,3,4,5")).toEqual([
      { a: "1", a_2: "2", column_3: "3", column_4: "4", column_5: "5" },
    ]);
  });

  test("windows-1252 is recognized", async () => {
    const file = await fileOf(Buffer.from("name,price\nM\xfcller \x96 S\xf6hne,5 \x80\n", "latin1"));
    expect(await read("csv", file)).toEqual([{ name: "Müller – Söhne", price: "5 €" }]);
  });

  test("windows-1252 is recognized by its first letter beyond ASCII, however late it is", async () => {
    const file = await fileOf(Buffer.from(`name\n${"Smith\n".repeat(20_000)}M\xfcller\n`, "latin1"));
    expect((await read("csv", file)) as unknown[]).toHaveLength(20_001);
    expect(((await read("csv", file)) as unknown[]).at(-1)).toEqual({ name: "Müller" });
  });

  test("text that a spreadsheet would run as a formula is written as text, unless formulas are allowed", async () => {
    const rows = [{ a: '=HYPERLINK("http://evil")', b: "+1+1", c: "-5", d: "@x", e: -7, f: "plain" }];
    const guarded = await contentOf(await write("csv", rows));
    expect(guarded).toBe(`a,b,c,d,e,f\r\n"'=HYPERLINK(""http://evil"")",'+1+1,-5,'@x,-7,plain\r\n`);
    expect(await write("csv", rows, { as: "text", allowFormulas: true })).toContain(`"=HYPERLINK(""`);
  });

  test("a file that is larger than a value names the way out, and an unclosed quote is refused", async () => {
    const large = await fileOf(`id\n${"x".repeat(99)}\n`.repeat(20_000));
    await expect(read("csv", large)).rejects.toMatchObject({
      code: "output_too_large",
      message: expect.stringContaining("foreach"),
    });
    const open = await fileOf(`id,name\n1,"${"x".repeat(5_000_000)}`);
    await expect(read("csv", open)).rejects.toMatchObject({ code: "unreadable_file" });
  });
});

describe("a file that is not what its name says", () => {
  test.each([
    ["csv", "<!DOCTYPE html><html><body>Sign in</body></html>", "HTML page"],
    ["json", "\x89PNG\r\n\x1a\n0000", "image/png"],
    ["csv", "MZ\x90\x00\x03\x00\x00", "binary data"],
    ["xlsx", "id,name\n1,Ada\n", "text"],
    ["zip", "%PDF-1.7 ...", "application/pdf"],
  ])("is refused as %s", async (format, content, found) => {
    const file = await fileOf(Buffer.from(content, "latin1"), `orders.${format}`);
    await expect(read(format, file)).rejects.toMatchObject({
      code: "unreadable_file",
      permanent: true,
      message: expect.stringContaining(found),
    });
  });
});

describe("Excel", () => {
  test("a written sheet is read back with its types, and text stays text", async () => {
    const rows = [
      { id: 1, name: "Ada & <b>", paid: true, note: "=1+1" },
      { id: 2.5, name: "Bob\u0001", paid: false, note: null },
    ];
    const file = await write("xlsx", rows, { fileName: "orders.xlsx", sheet: "May" });
    expect(file).toMatchObject({
      name: "orders.xlsx",
      contentType: expect.stringContaining("spreadsheetml"),
    });
    expect(await read("xlsx", file)).toEqual([
      { id: 1, name: "Ada & <b>", paid: true, note: "=1+1" },
      { id: 2.5, name: "Bob", paid: false },
    ]);
    expect(await read("xlsx", file, { sheet: "May", header: false })).toHaveLength(3);
    await expect(read("xlsx", file, { sheet: "June" })).rejects.toThrow('its sheets are "May"');
  });

  test("text keeps its line breaks and characters, and the names of columns are one line", async () => {
    const cell = "10 m² ½ ﬁ\nSecond  line\u00ad _x0041_";
    const file = await write("xlsx", [["Size\nof it"], [cell]], {
      sheet: "m² _x0041_\u00a0more",
      header: false,
    });
    expect(await read("xlsx", file, { sheet: "m² _x0041_\u00a0more" })).toEqual([{ "Size of it": cell }]);
  });

  test("text is stored as text and no formula exists, unless formulas are allowed", async () => {
    const sheetOf = async (more: Record<string, JsonValue>) => {
      const entry = (await read("zip", await write("xlsx", [["=1+1"]], more))).find(
        ({ path }: { path: string }) => path.endsWith("sheet1.xml"),
      );
      return contentOf(entry.file);
    };
    expect(await sheetOf({})).not.toContain("<f>");
    expect(await sheetOf({ allowFormulas: true })).toContain("<f>1+1</f>");
  });
});

test("JSON lines and JSON are read and written", async () => {
  const rows = [{ a: 1 }, [2], "three"];
  const file = await write("jsonl", rows, { fileName: "rows.jsonl" });
  expect(await contentOf(file)).toBe('{"a":1}\n[2]\n"three"\n');
  expect(await read("jsonl", file)).toEqual(rows);
  expect(await read("json", await write("json", { a: [1] }))).toEqual({ a: [1] });
  await expect(read("jsonl", '{"a":1}\n{"a":')).rejects.toThrow("line 2 is not valid JSON");
  await expect(read("jsonl", '{"a":1e400}')).rejects.toThrow(
    "line 1 is not valid JSON, is nested too deeply, or has a number that is too large",
  );
  await expect(read("json", "[".repeat(100_000))).rejects.toMatchObject({ code: "unreadable_file" });
  await expect(read("json", '{"__proto__":{"x":1}}')).rejects.toMatchObject({ code: "unreadable_file" });
});

describe("HTML and Markdown", () => {
  const page = `<html><head><title>x</title><script>alert(1)</script></head><body>
    <h1>Prices</h1><p>All in <b>euro</b>, see <a href="/terms">terms</a>.</p>
    <ul><li>One</li><li>Two<ol><li>Inner</li></ol></li></ul>
    <table><tr><th>Name</th><th>Price</th></tr><tr><td>Pump</td><td>12|5</td></tr></table></body></html>`;

  test("a selector takes text, HTML, attributes or Markdown of what matches", async () => {
    expect(await read("html", page, { selector: "td" })).toEqual(["Pump", "12|5"]);
    expect(await read("html", page, { selector: "a", take: "attribute", attribute: "href" })).toEqual([
      "/terms",
    ]);
    expect(await read("html", page, { selector: "b", take: "html" })).toEqual(["<b>euro</b>"]);
    expect(await read("html", page, { selector: "p", take: "markdown" })).toEqual([
      "All in **euro**, see [terms](/terms).",
    ]);
    expect(await read("html", page)).not.toContain("alert");
    await expect(read("html", page, { selector: "td[" })).rejects.toMatchObject({ code: "invalid_field" });
  });

  test("a page becomes Markdown, and Markdown becomes HTML", async () => {
    expect(await read("html", page, { take: "markdown" })).toBe(
      "# Prices\n\nAll in **euro**, see [terms](/terms).\n\n- One\n- Two\n  1. Inner\n\n| Name | Price |\n| --- | --- |\n| Pump | 12\\|5 |",
    );
    expect(await read("markdown", "# Hello\n\n*you*")).toBe("<h1>Hello</h1>\n<p><em>you</em></p>\n");
    expect(await write("html", [{ a: "<x>" }], { as: "text" })).toContain("<td>&lt;x&gt;</td>");
    expect(await write("markdown", [{ a: "x|y" }], { as: "text" })).toBe("| a |\n| --- |\n| x\\|y |\n");
  });

  test("a page that is nested a hundred thousand times fails the step and not the service", async () => {
    const deep = "<div>".repeat(100_000);
    await expect(read("html", deep, { take: "markdown" })).rejects.toMatchObject({ code: "unreadable_file" });
    expect(await read("html", "<p>fine</p>")).toBe("fine");
  });
});

describe("XML", () => {
  test("elements, attributes and repeated elements are read and written", async () => {
    const xml =
      '<?xml version="1.0"?><orders day="1"><order id="7"><name>A &amp; B</name></order><order id="8"/></orders>';
    expect(await read("xml", xml)).toEqual({
      orders: { "@day": "1", order: [{ "@id": "7", name: "A & B" }, { "@id": "8" }] },
    });
    const written = await write("xml", { orders: { "@day": "1", name: "<A>" } }, { as: "text" });
    expect(await read("xml", written)).toEqual({ orders: { "@day": "1", name: "<A>" } });
    expect(await read("xml", '<a b="&#228;">&#x20AC; &amp;#228; &#128512;</a>')).toEqual({
      a: { "@b": "ä", "#text": "€ &#228; 😀" },
    });
    await expect(write("xml", { root: { "a b": 1 } })).rejects.toMatchObject({ code: "invalid_field" });
  });

  test("the declared encoding counts, unless it is wrong", async () => {
    const cyrillic = [
      Buffer.from('<?xml version="1.0" encoding="windows-1251"?><a>'),
      Buffer.from([0xc4, 0xe0]),
    ];
    const file = await fileOf(Buffer.concat([...cyrillic, Buffer.from("</a>")]));
    expect(await read("xml", file)).toEqual({ a: "Да" });
    const wrong = await fileOf(Buffer.from('<?xml version="1.0" encoding="utf-16"?><a>ä</a>'));
    expect(await read("xml", wrong)).toEqual({ a: "ä" });
    const page = await fileOf(
      Buffer.concat([Buffer.from('<meta charset="windows-1251"><p>'), Buffer.from([0xc4, 0xe0])]),
    );
    expect(await read("html", page, { selector: "p" })).toEqual(["Да"]);
  });

  test.each([
    ["an external entity", '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><x>&e;</x>'],
    ["an expanding entity", '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><x>&b;</x>'],
    ["a broken document", "<a><b></a>"],
    ["a document of thousands of open elements", "<a>".repeat(5000)],
  ])("%s is refused", async (_, xml) => {
    const failure = await read("xml", xml).catch((error: unknown) => error as Error);
    expect(failure).toMatchObject({ code: "unreadable_file" });
    expect((failure as Error).message.length).toBeLessThan(400);
  });
});

describe("zip archives", () => {
  test("files are packed, listed and extracted as references", async () => {
    const file = await fileOf("id\n1\n", "a.csv");
    const zip = await write("zip", [file, { name: "../../b.txt", content: "hello" }, file]);
    expect(zip).toMatchObject({ name: "data.zip", contentType: "application/zip" });
    expect(await read("zip", zip, { entries: "list" })).toEqual([
      { path: "a.csv", size: 5 },
      { path: "b.txt", size: 5 },
      { path: "a (2).csv", size: 5 },
    ]);
    const entries = await read("zip", zip);
    expect(entries[1]).toMatchObject({ path: "b.txt", file: { name: "b.txt", contentType: "text/plain" } });
    expect(await contentOf(entries[1].file)).toBe("hello");
  });

  test("a bomb is stopped while it inflates, and leaves no file", async () => {
    const bomb = await fileOf(zipOf("bomb", Buffer.alloc(40_000_000)));
    const rows = async () => Number((await opened.db.query("select count(*) as n from run_file"))[0]?.["n"]);
    const before = await rows();
    await expect(read("zip", bomb)).rejects.toThrow("inflate beyond the limit");
    expect(await rows()).toBe(before);
    expect(await readdir(join(opened.folder, "run-files", "incoming"))).toEqual([]);
  });

  test("files that a cancelled conversion has extracted are removed", async () => {
    const cancelled = createConvertRunner({
      runFiles: files,
      limits,
      converter: {
        async run(_ownerId, job) {
          if (typeof job === "function" || job.kind !== "extract") throw new Error("unexpected");
          await writeFile(`${job.targetPath}-0`, "x");
          await writeFile(`${job.targetPath}-1`, "x");
          throw new Error("cancelled");
        },
      },
    });
    const input = await fileOf(zipOf("a", Buffer.from("x")));
    const call = sampleCall({ operation: "read", format: "zip", input });
    await expect(cancelled.run(call)).rejects.toThrow("cancelled");
    expect(await readdir(join(opened.folder, "run-files", "incoming"))).toEqual([]);
  });

  test("files to pack have a limit, and names of files are a value within its limit", async () => {
    const small = createConvertRunner({
      converter,
      runFiles: files,
      limits: limitsOf({ file_bytes: 100, value_bytes: 100 }),
    });
    const pack = (input: JsonValue) => small.run(sampleCall({ operation: "write", format: "zip", input }));
    const content = "x".repeat(60);
    await expect(
      pack([
        { name: "a", content },
        { name: "b", content },
      ]),
    ).rejects.toMatchObject({
      code: "output_too_large",
      message: expect.stringContaining("The files of the archive are larger than 100 bytes."),
    });
    await expect(pack(Array.from({ length: 1001 }, () => ({ name: "a" })))).rejects.toMatchObject({
      code: "invalid_field",
      message: expect.stringContaining("at most 1000 files"),
    });
    const input = (await pack(["a", "b", "c"].map((name) => ({ name: name.repeat(30), content: "" }))))
      .output as never;
    const list = sampleCall({ operation: "read", format: "zip", input, entries: "list" });
    await expect(small.run(list)).rejects.toMatchObject({
      code: "output_too_large",
      message: expect.stringContaining("larger than 100 bytes as a value"),
    });
  });

  test.each([
    ["claims less than it contains", zipOf("a", Buffer.alloc(5000), 10)],
    ["leads out of its folder", zipOf("../../etc/passwd", Buffer.from("x"))],
    ["is cut off", zipOf("a", Buffer.from("x")).subarray(0, 40)],
  ])("an archive that %s is refused", async (_, bytes) => {
    await expect(read("zip", await fileOf(bytes))).rejects.toMatchObject({ code: "unreadable_file" });
  });
});

test("text is read in its encoding and written with its name", async () => {
  const file = await fileOf(Buffer.from("\uFEFFgrün", "utf16le"), "notes.txt");
  expect(await read("text", file)).toBe("grün");
  const written = await write("text", "grün", { fileName: "../x/notes.txt" });
  expect([written.name, await contentOf(written)]).toEqual(["notes.txt", "grün"]);
  expect(await readFile(join(opened.folder, "run-files", "user_a", written.file), "utf8")).toBe("grün");
});

test("a file of another owner is not read, and a value that is no file names the field", async () => {
  const file = await files.create(
    { ownerId: "user_b", taskId: null },
    { name: "a" },
    Readable.from([Buffer.from("x")]),
  );
  await expect(read("text", file)).rejects.toMatchObject({ code: "forbidden" });
  await expect(read("csv", 7)).rejects.toMatchObject({ code: "invalid_field" });
  await expect(read("pdf", "x")).rejects.toMatchObject({ code: "invalid_field" });
});

test("a conversion that takes too long or is cancelled ends its worker, and the next one works", async () => {
  const slow = createConverter({ queue: { run: (_key, job) => job() }, timeoutMs: 1 });
  const limited = createConvertRunner({ converter: slow, runFiles: files, limits });
  const call = sampleCall({ operation: "read", format: "text", input: "x" });
  await expect(limited.run(call)).rejects.toThrow("it takes longer than");
  const cancelled = AbortSignal.abort(new Error("stop"));
  await expect(runner.run({ ...call, signal: cancelled })).rejects.toThrow();
  expect((await runner.run(call)).output).toBe("x");
  await slow.close();
});
