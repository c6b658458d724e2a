import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createBlobs } from "../../lib/blob-store.ts";
import { createFolderStores } from "./folder-store.ts";

test("a large text is read as it was stored, whatever characters are at the ends of its parts", async () => {
  const folder = mkdtempSync(join(tmpdir(), "baton-blobs-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const blobs = createBlobs(createFolderStores(folder).area("blobs", "user_a"));
  for (const begin of ["", "a", "ab", "abc", "\ufeff"]) {
    const text = begin + "😀é€".repeat(100_000);
    await blobs.put("task_a/text", text);
    expect((await blobs.get("task_a/text")) === text).toBe(true);
  }
});
