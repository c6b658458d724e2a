import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { makePrivate } from "./private-folder.ts";

const modeOf = (path: string) => statSync(path).mode & 0o777;

test("an existing folder and its files become private; folders inside keep their mode", () => {
  const folder = mkdtempSync(join(tmpdir(), "baton-private-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  chmodSync(folder, 0o755);
  for (const name of ["baton.sqlite", "baton.sqlite-wal", "jwt-secret"]) {
    writeFileSync(join(folder, name), "");
    chmodSync(join(folder, name), 0o644);
  }
  mkdirSync(join(folder, "files"), { mode: 0o755 });
  const problems: string[] = [];
  makePrivate(folder, (problem) => problems.push(problem));
  expect(modeOf(folder)).toBe(0o700);
  for (const name of ["baton.sqlite", "baton.sqlite-wal", "jwt-secret"])
    expect([name, modeOf(join(folder, name))]).toEqual([name, 0o600]);
  expect(modeOf(join(folder, "files"))).toBe(0o755);
  expect(problems).toEqual([]);
});

test("a missing folder is created private", () => {
  const parent = mkdtempSync(join(tmpdir(), "baton-private-"));
  onTestFinished(() => rmSync(parent, { recursive: true, force: true }));
  makePrivate(join(parent, "data"), () => undefined);
  expect(modeOf(join(parent, "data"))).toBe(0o700);
});

test("a folder that cannot be created is reported with what to do", () => {
  const folder = mkdtempSync(join(tmpdir(), "baton-private-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "file");
  writeFileSync(file, "");
  for (const path of [file, join(file, "data")])
    expect(() => makePrivate(path, () => undefined)).toThrow(
      expect.objectContaining({
        code: "database_unreadable",
        message: expect.stringContaining(`${path} cannot be written`),
      }),
    );
});
