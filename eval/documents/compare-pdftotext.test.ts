import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { lines, pdfOf } from "../../test/support/pdf.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "baton-eval-pdfs-"));
  await writeFile(join(folder, "a.pdf"), await pdfOf([lines(["The pump has a pressure of 6 bar."])]));
});
afterAll(() => rm(folder, { recursive: true }));

/** Runs the command against a service that answers every upload with this status. */
async function runAgainst(status: number, body: object): Promise<{ code: number | undefined; out: string }> {
  const service = createServer((request, response) => {
    request.resume().on("end", () => {
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    });
  });
  await new Promise<void>((resolve) => service.listen(0, "127.0.0.1", resolve));
  const { port } = service.address() as AddressInfo;
  const program = join(import.meta.dirname, "compare-pdftotext.ts");
  const args = ["--import", "tsx", program, folder, "--service", `http://127.0.0.1:${port}`];
  try {
    return await new Promise((resolve) => {
      const child = execFile(process.execPath, args, (_error, out) =>
        resolve({ code: child.exitCode ?? undefined, out }),
      );
    });
  } finally {
    service.close();
  }
}

test.each([
  [500, { error: "internal_error" }, 1, "BUG upload: 500 internal_error"],
  [422, { error: "no_text" }, 0, "uploads: 1 422 no_text"],
  [201, { document_id: "doc_1" }, 0, "uploads: 1 201"],
])("an upload with the response %i %j ends the run with %i", async (status, body, code, line) => {
  const result = await runAgainst(status, body);
  expect(result.out).toContain(line);
  expect(result.code).toBe(code);
});
