import { constants, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { withFile } from "./durable-file.ts";

// Between a check and the open, a file can be replaced by a link.
test("[S7] a link that replaces a file after the check is not opened for reading or writing", async () => {
  const folder = mkdtempSync(join(tmpdir(), "baton-link-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const outside = join(folder, "outside");
  const link = join(folder, "file");
  writeFileSync(outside, "secret");
  symlinkSync(outside, link);
  for (const flags of [constants.O_RDONLY, constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND])
    await expect(withFile(link, flags, (handle) => handle.readFile())).rejects.toMatchObject({
      code: "ELOOP",
    });
  expect(await withFile(outside, constants.O_RDONLY, (handle) => handle.readFile("utf8"))).toBe("secret");
});
