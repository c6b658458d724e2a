import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { constants, deflateRawSync } from "node:zlib";
import { PDFDocument } from "pdf-lib";
import { afterEach, expect, test } from "vitest";
import { lines, pdfOf, rawPdf } from "../support/pdf.ts";
import { shareApp } from "../support/shared-app.ts";
import { docxOf, paragraph, pptxOf, xlsxOf } from "../support/office-files.ts";
import { zipOf } from "../support/zip.ts";
import { formOf, MULTIPART, sendForm, upload } from "./upload.ts";
import { shareWordEmbeddings } from "./word-embeddings.ts";

const words = await shareWordEmbeddings();
const { app, alice } = await shareApp(["alice"], { ...words.settings, UPLOAD_LIMIT_BYTES: "3000000" });
const good = await pdfOf([lines(["The valve opens at 9 bar."])]);

// A rejected upload leaves no record and no file, and the service stays ready.
async function nothingIsLeft(): Promise<void> {
  expect((await alice.get("/api/v1/documents")).body.documents).toEqual([]);
  const folder = join(app.dataDir, "documents");
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  expect(names.filter((name) => name !== "incoming")).toEqual([]);
  expect((await app.anonymous.get("/ready")).status).toBe(200);
}
afterEach(nothingIsLeft);

const file = (value: string | Uint8Array, fileName = "a.pdf") => ({ name: "file", value, fileName });

test("an upload without a file is 400 file_required, however the file is missing", async () => {
  const answers = [
    await sendForm(alice, [{ name: "metadata", value: "{}" }]),
    await sendForm(alice, [{ name: "file", value: "only text" }]),
    await sendForm(alice, []),
    await sendForm(alice, [{ name: "document", value: "%PDF-1.7", fileName: "a.pdf" }]),
    await alice.post("/api/v1/documents/upload"),
  ];
  for (const answer of answers)
    expect([answer.status, answer.body]).toEqual([
      400,
      { ok: false, error: "file_required", message: expect.any(String) },
    ]);
});

test("[S8] a JSON body that names a file is not an upload", async () => {
  for (const body of [
    { file: "/etc/passwd" },
    { file: { path: "/etc/passwd", filepath: "/etc/passwd" } },
    { path: join(app.dataDir, "jwt-secret"), metadata: "{}" },
  ]) {
    const answer = await alice.post("/api/v1/documents/upload", body);
    expect([answer.status, answer.body.error]).toEqual([415, "unsupported_media_type"]);
    expect(answer.body.message).toContain("multipart/form-data");
  }
});

test("bytes of no supported format are 415 and the formats are named, whatever the file is called", async () => {
  const image = Buffer.from("89504e470d0a1a0a0000000d49484452", "hex");
  for (const [bytes, name] of [
    [image, "report.pdf"],
    [Buffer.concat([image, Buffer.alloc(200_000, 1)]), "large.docx"],
    ["", "empty.pdf"],
    [zipOf({ "readme.txt": "no document" }), "archive.docx"],
    ["{\\rtf1 Hello}", "letter.txt"],
  ] as const) {
    const answer = await sendForm(alice, [file(bytes, name)]);
    expect([name, answer.status, answer.body.error]).toEqual([name, 415, "unsupported_media_type"]);
    expect(answer.body.message).toContain("PDF, DOCX, PPTX, XLSX, EPUB, HTML, Markdown");
    expect(answer.body.message.startsWith("The file is empty.")).toBe(bytes.length === 0);
  }
});

const XXE = '<!DOCTYPE x [<!ENTITY file SYSTEM "file:///etc/passwd"><!ENTITY a "ha"><!ENTITY b "&a;&a;">]>';

test.each<[string, () => Uint8Array | string, string, RegExp]>([
  ["HTML with nothing but a script", () => "<html><script>alert(1)</script>", "no_text", /no text/],
  ["text of blanks", () => " \n\t\n ", "no_text", /no text/],
  ["an empty DOCX", () => docxOf(""), "no_text", /no text/],
  ["an empty presentation", () => pptxOf([{}]), "no_text", /no text/],
  ["an empty workbook", () => xlsxOf([{ name: "A", rows: [] }]), "no_text", /no text/],
  ["an email without content", () => "Received: x\nMessage-ID: <y>\n\n", "no_text", /no text/],
  [
    "a DOCX that inflates beyond the limit",
    () => docxOf("", { "word/document.xml": Buffer.alloc(40_000_000, "<w:p/>") }),
    "unreadable_document",
    /inflates/,
  ],
  ["an XLSX without its sheets", () => zipOf({ "xl/workbook.xml": "<workbook/>" }), "no_text", /no text/],
  [
    "an EPUB without content",
    () => zipOf({ "META-INF/container.xml": "<x/>" }),
    "unreadable_document",
    /content/,
  ],
  [
    "an encrypted DOCX",
    () => zipOf({ "word/document.xml": "<w:p/>" }, { flags: 1 }),
    "unreadable_document",
    /encrypted/,
  ],
  [
    "a DOCX with a damaged part",
    () => {
      const bytes = docxOf(paragraph("Some text of the file."));
      const start = bytes.indexOf("word/document.xml") + "word/document.xml".length;
      bytes.fill(0xff, start, start + 40);
      return bytes;
    },
    "unreadable_document",
    /./,
  ],
])("[S27] %s is 422 and leaves nothing behind", async (_what, make, code, message) => {
  const answer = await upload(alice, Buffer.from(make()));
  expect([answer.status, answer.body]).toEqual([
    422,
    { ok: false, error: code, message: expect.stringMatching(message) },
  ]);
});

test("[S27] no entity of a DOCX is expanded or loaded", async () => {
  const body = `<w:document><w:body>${paragraph("Secret: &file; &b; &#65; &amp; end.")}</w:body></w:document>`;
  const { body: uploaded } = await upload(alice, docxOf("", { "word/document.xml": XXE + body }));
  const { body: answer } = await alice.post("/api/v1/documents/query", { query: "What is the secret?" });
  expect(answer.sources[0].quote).toBe("Secret: &file; &b; A & end.");
  await alice.delete(`/api/v1/documents/${uploaded.document_id}`);
});

test("two files, also in different fields, are 400", async () => {
  for (const parts of [
    [file(good), file(good)],
    [file(good), { ...file(good), name: "second" }],
    [{ ...file(good), name: "first" }, file(good)],
  ]) {
    const answer = await sendForm(alice, parts);
    expect([answer.status, answer.body.error]).toEqual([400, "invalid_request"]);
  }
});

test("metadata that is not JSON, not an object, or of the wrong type is 400, before or after the file", async () => {
  const wrong = [
    "{",
    "[]",
    "7",
    '"title"',
    "null",
    '{"title": 7}',
    '{"title": ""}',
    '{"tags": "a"}',
    '{"tags": [1]}',
  ];
  wrong.push(
    JSON.stringify({ title: "x".repeat(301) }),
    '{"__proto__": {"title": "x"}}',
    `{"tags": ["${"x".repeat(70_000)}"]}`,
  );
  for (const value of wrong) {
    const metadata = { name: "metadata", value };
    for (const parts of [
      [metadata, file(good)],
      [file(good), metadata],
    ]) {
      const answer = await sendForm(alice, parts);
      expect([value.slice(0, 40), answer.status, answer.body.error]).toEqual([
        value.slice(0, 40),
        400,
        "invalid_request",
      ]);
    }
  }
});

test("a file over the limit is 413, by its content-length or while it is read", async () => {
  const large = Buffer.concat([Buffer.from(good), Buffer.alloc(4_000_000, 32)]);
  const body = formOf([file(large)]);
  const told = await alice.call("/api/v1/documents/upload", { method: "POST", body, contentType: MULTIPART });
  const message = "The file is larger than 3000000 bytes. Upload a smaller file.";
  expect([told.status, told.body]).toEqual([413, { ok: false, error: "payload_too_large", message }]);
  const found = await alice.call("/api/v1/documents/upload", {
    method: "POST",
    body: formOf([file(large.subarray(0, 3_100_000))]),
    contentType: MULTIPART,
  });
  expect([found.status, found.body]).toEqual([told.status, told.body]);
});

test("a body that is not multipart, or ends early, is 400", async () => {
  const whole = formOf([file(good)]);
  for (const body of [
    whole.subarray(0, whole.length - 60),
    Buffer.from("nothing of the kind"),
    Buffer.from("--"),
  ]) {
    const answer = await alice.call("/api/v1/documents/upload", {
      method: "POST",
      body,
      contentType: MULTIPART,
    });
    expect([answer.status, answer.body.ok]).toEqual([400, false]);
  }
  const unbounded = await alice.call("/api/v1/documents/upload", {
    method: "POST",
    body: whole,
    contentType: "multipart/form-data",
  });
  expect(unbounded.status).toBe(400);
});

test("without a login no upload is read", async () => {
  const answer = await upload(app.anonymous, good);
  expect([answer.status, answer.body.error]).toEqual([401, "missing_token"]);
});

const CATALOG = "<< /Type /Catalog /Pages 2 0 R >>";

/** A page whose content inflates to 1 GB: one compressed block of 16 MB of blanks, 64 times over. */
function bomb(): Buffer {
  const block = deflateRawSync(Buffer.alloc(16 * 1024 * 1024, " "), { finishFlush: constants.Z_FULL_FLUSH });
  const content = Buffer.concat([Buffer.from([0x78, 0x9c]), ...Array.from({ length: 64 }, () => block)]);
  const head = Buffer.from(`<< /Filter /FlateDecode /Length ${content.length} >>\nstream\n`);
  return rawPdf([
    CATALOG,
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R >>",
    Buffer.concat([head, content, Buffer.from("\nendstream")]),
  ]);
}

function manyPages(count: number): Buffer {
  const kids = Array.from({ length: count }, () => "3 0 R").join(" ");
  return rawPdf([
    CATALOG,
    `<< /Type /Pages /Kids [${kids}] /Count ${count} >>`,
    "<< /Type /Page /Parent 2 0 R >>",
  ]);
}

const secret = "<0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef>";
const encrypted = rawPdf(
  [
    CATALOG,
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    "<< /Type /Page /Parent 2 0 R >>",
    `<< /Filter /Standard /V 2 /R 3 /Length 128 /P -44 /O ${secret} /U ${secret} >>`,
  ],
  "/Encrypt 4 0 R /ID [<00112233445566778899aabbccddeeff> <00112233445566778899aabbccddeeff>]",
);

test.each<[string, () => Uint8Array | Promise<Uint8Array>, string, RegExp]>([
  ["inflates to 1 GB", bomb, "unreadable_document", /inflates/],
  ["has 10,000 pages", () => manyPages(10_000), "unreadable_document", /10000 pages/],
  ["is encrypted", () => encrypted, "unreadable_document", /encrypted/],
  ["is cut off", () => good.subarray(0, 300), "unreadable_document", /./],
  ["has no pages", () => manyPages(0), "unreadable_document", /./],
  [
    "has a circular page tree",
    () => rawPdf([CATALOG, "<< /Type /Pages /Kids [2 0 R] /Count 5 >>"]),
    "unreadable_document",
    /./,
  ],
  [
    "holds images alone",
    async () => {
      const pdf = await PDFDocument.create();
      pdf.addPage().drawRectangle({ width: 100, height: 100 });
      return pdf.save();
    },
    "no_text",
    /images/,
  ],
])("[S27] a PDF that %s is 422 and leaves nothing behind", async (_what, make, code, message) => {
  const bytes = await make();
  const answer = await upload(alice, bytes);
  expect([answer.status, answer.body]).toEqual([
    422,
    { ok: false, error: code, message: expect.stringMatching(message) },
  ]);
});

test("an upload while the embedding service is down is 503 and leaves nothing behind", async () => {
  words.status = 500;
  try {
    const answer = await upload(alice, good);
    expect([answer.status, answer.body.error]).toEqual([503, "embedding_failed"]);
  } finally {
    words.status = 200;
  }
});

test("an upload without a length ends with its connection when it sends too much around its parts", async () => {
  const url = await app.listen();
  let sent = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      sent += 65_536;
      // Not the boundary: nothing of it is a part.
      controller.enqueue(new Uint8Array(65_536).fill(0x78));
      if (sent > 100_000_000) controller.error(new Error("all was read"));
    },
  });
  const headers = { authorization: `Bearer ${alice.token}`, "content-type": MULTIPART };
  const request = { method: "POST", headers, body, duplex: "half" as const };
  await expect(fetch(`${url}/api/v1/documents/upload`, request)).rejects.toThrow("fetch failed");
  expect(sent).toBeLessThan(50_000_000);
});
