import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { loadKeys } from "./key-files.ts";

const folder = mkdtempSync(join(tmpdir(), "baton-keys-"));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test("keys are generated once, stored with mode 0600 and loaded again", () => {
  const settings = {
    dataDir: join(folder, "data"),
    jwtSecret: undefined,
    previousJwtSecrets: [],
    encryptionKeys: [],
  };
  const first = loadKeys(settings);
  expect(loadKeys(settings)).toEqual(first);
  expect(first.encryptionKeys[0]).toHaveLength(32);
  for (const name of ["jwt-secret", "encryption-key"]) {
    expect(statSync(join(settings.dataDir, name)).mode & 0o777).toBe(0o600);
    expect(readFileSync(join(settings.dataDir, name), "utf8")).toHaveLength(64);
  }
  expect(readdirSync(settings.dataDir)).toHaveLength(2);
});

test.each(["", "cut off", "0".repeat(63)])(
  "a key file that contains %j is rejected with its path",
  (content) => {
    const settings = {
      dataDir: folder,
      jwtSecret: undefined,
      previousJwtSecrets: [],
      encryptionKeys: [Buffer.alloc(32, 1)],
    };
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "jwt-secret"), content);
    expect(() => loadKeys(settings)).toThrow(expect.objectContaining({ code: "key_file_damaged" }));
    expect(readFileSync(join(folder, "jwt-secret"), "utf8")).toBe(content);
  },
);

test("configured keys take precedence, and no key file is created", () => {
  const settings = {
    dataDir: folder,
    jwtSecret: "s".repeat(32),
    previousJwtSecrets: ["old"],
    encryptionKeys: [Buffer.alloc(32, 1)],
  };
  expect(loadKeys(settings)).toEqual({
    jwtSecrets: [settings.jwtSecret, "old"],
    encryptionKeys: settings.encryptionKeys,
  });
});
