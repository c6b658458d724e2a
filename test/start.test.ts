import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { finishService } from "../scripts/service-bundle.mjs";
import { ensureBuilt, startService } from "./support/service-process.ts";

const BUILT = fileURLToPath(new URL("../dist/server", import.meta.url));
const MANY_REQUESTS = 5000;

function createFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "baton-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

test("V8 compiles to machine code only after the service is ready, and never allocates young objects as old ones", async () => {
  const service = startService({ DATA_DIR: createFolder(), LOG_LEVEL: "warn" }, [
    process.execPath,
    "--trace-opt",
    "--trace-baseline-batch-compilation",
    "--trace-pretenuring-statistics",
    "dist/server/main.js",
  ]);
  const address = await service.ready();
  /** Node compiles a few of its own functions before it runs the service. */
  const optimized = (): number => service.output().split("[compiling method").length - 1;
  const batches = (): number => service.output().split("Compiling current batch").length - 1;
  const [optimizedBefore, batchesBefore] = [optimized(), batches()];
  expect(optimizedBefore).toBeLessThan(5);
  const hasStarted = (): boolean => optimized() > optimizedBefore && batches() > batchesBefore;
  for (let sent = 0; sent < MANY_REQUESTS && !hasStarted(); sent++)
    await (await fetch(`${address}/health`)).text();
  expect(optimized()).toBeGreaterThan(optimizedBefore);
  expect(batches()).toBeGreaterThan(batchesBefore);
  expect(service.output()).not.toContain("pretenuring:");
});

test("the service writes a code cache next to its bundle and starts with it", async () => {
  ensureBuilt();
  const hash = /\/\/ ([\da-f]+)\n$/.exec(readFileSync(join(BUILT, "service.cjs"), "latin1").slice(-100))?.[1];
  const name = `service-${hash}-${process.version}-${process.arch}.cache`;
  for (let start = 0; start < 2; start++) {
    const service = startService({ DATA_DIR: createFolder(), LOG_LEVEL: "warn" });
    const address = await service.ready();
    expect((await fetch(`${address}/ready`)).status).toBe(200);
    // The documentation and its files come from a package inside the bundle.
    expect((await fetch(`${address}/api/docs/static/swagger-ui.css`)).status).toBe(200);
    expect(await service.stop()).toBe(0);
    expect(readdirSync(BUILT)).toContain(name);
  }
});

test("the text of the built service is ASCII, which V8 keeps with one byte per character", () => {
  ensureBuilt();
  // oxlint-disable-next-line no-control-regex
  expect(/[^\0-\x7f]/.test(readFileSync(join(BUILT, "service.cjs"), "utf8"))).toBe(false);
});

test("the built service imports no package with import(), which fails in Node 20 in code from a cache", () => {
  ensureBuilt();
  const text = readFileSync(join(BUILT, "service.cjs"), "latin1");
  expect(text.match(/\bimport\("[^"]*"\)/g)).toBe(null);
  expect(text).toContain('importModule("pg")');
});

test("the build escapes characters, replaces imports of packages and delays Node modules", () => {
  const file = join(createFolder(), "service.cjs");
  writeFileSync(
    file,
    'a = /[ä😀]/u; import("nodemailer"); import("pg/lib/x.js"); text = `import("left")`;\n',
  );
  finishService(file);
  expect(readFileSync(file, "utf8")).toMatch(
    /^a = \/\[\\u00e4\\ud83d\\ude00\]\/u; importModule\("nodemailer"\); importModule\("pg\/lib\/x\.js"\); text = `import\("left"\)`;\n\/\/ [\da-f]{16}\n$/,
  );
  writeFileSync(
    file,
    'a = require("node:tls"); b = require("https"); c = __toESM(require("dns")); d = require("fs");\n',
  );
  finishService(file);
  expect(readFileSync(file, "utf8")).toMatch(
    /^a = requireOnFirstUse\("node:tls"\); b = requireOnFirstUse\("node:https"\); c = __toESM\(require\("dns"\)\); d = require\("fs"\);\n/,
  );
  for (const text of ["a = /\\ä/", "String.raw`ä`"]) {
    writeFileSync(file, text);
    expect(() => finishService(file)).toThrow("outside ASCII");
  }
});
