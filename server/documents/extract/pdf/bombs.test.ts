import { deflateSync } from "node:zlib";
import { expect, test } from "vitest";
import { rawPdf } from "../../../../test/support/pdf.ts";
import { LOCAL_TOKENIZER_FILE } from "../../../models/embedding/local-model-file.ts";
import { extractDocument } from "../extract.ts";

/** The other limits are so far away that only the CPU time of a file without progress can end the test. */
const limits = { startMs: 2000, maxCpuMs: 3_600_000, timeoutMs: 3_600_000 };
const extract = (bytes: Uint8Array, more = {}) =>
  extractDocument(bytes, { tokenizerFile: LOCAL_TOKENIZER_FILE, ...more });
const tooLong = {
  code: "unreadable_document",
  message: expect.stringContaining("longer than") as string,
};

function stream(dictionary: string, content: string): Buffer {
  const bytes = deflateSync(content);
  return Buffer.concat([
    Buffer.from(`<< ${dictionary} /Filter /FlateDecode /Length ${bytes.length} >>\nstream\n`),
    bytes,
    Buffer.from("\nendstream"),
  ]);
}

const CATALOG = "<< /Type /Catalog /Pages 2 0 R >>";
const page = (resources: string): string =>
  `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << ${resources} >> >>`;

test("[S27] commands nested three million times end within seconds", async () => {
  const bomb = rawPdf([
    CATALOG,
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    page(""),
    stream("", "q ".repeat(3_000_000)),
  ]);
  expect(bomb.length).toBeLessThan(10_000);
  await expect(extract(bomb, { limits })).rejects.toMatchObject(tooLong);
});

test("[S27] forms that draw each other twice, forty deep, end within seconds", async () => {
  const forms = Array.from({ length: 40 }, (_, i) =>
    stream(
      `/Type /XObject /Subtype /Form /BBox [0 0 595 842] /Resources << /XObject << /X ${i + 6} 0 R >> >>`,
      "/X Do /X Do",
    ),
  );
  const bomb = rawPdf([
    CATALOG,
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    page("/XObject << /X 5 0 R >>"),
    stream("", "/X Do"),
    ...forms,
    stream(
      "/Type /XObject /Subtype /Form /BBox [0 0 595 842] /Resources << /Font << /F1 46 0 R >> >>",
      "BT /F1 12 Tf (boo) Tj ET",
    ),
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
  ]);
  await expect(extract(bomb, { limits })).rejects.toMatchObject(tooLong);
});

test("[S27] a page tree that claims two billion pages, or is 20,000 levels deep, ends", async () => {
  const claim = rawPdf([
    CATALOG,
    "<< /Type /Pages /Kids [3 0 R] /Count 2000000000 >>",
    page(""),
    stream("", "q Q"),
  ]);
  await expect(extract(claim)).rejects.toMatchObject({ code: "no_text" });
  const levels = Array.from({ length: 20_000 }, (_, i) => `<< /Type /Pages /Kids [${i + 3} 0 R] /Count 1 >>`);
  const deep = rawPdf([CATALOG, ...levels, "<< /Type /Page /MediaBox [0 0 595 842] >>"]);
  await expect(extract(deep)).rejects.toMatchObject({ code: "no_text" });
});

test("[S27] a cross-reference table that claims two billion objects is not believed", async () => {
  const claim = rawPdf([
    CATALOG,
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    page("/Font << /F1 5 0 R >>"),
    stream("", "BT /F1 12 Tf 60 700 Td (The only line.) Tj ET"),
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
  ]).toString("latin1");
  const table = claim.replace("xref\n0 6\n", "xref\n0 2000000000\n");
  expect(table).not.toBe(claim);
  const { pages } = await extract(Buffer.from(table, "latin1"));
  expect(pages[0]?.text).toBe("The only line.");
});
