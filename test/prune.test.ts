import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { pruneAll } from "../scripts/prune.mjs";

/** Which of these files are left in node_modules. */
function leftAfterPruning(files: readonly string[]): string[] {
  const modules = mkdtempSync(join(tmpdir(), "baton-prune-"));
  onTestFinished(() => rmSync(modules, { recursive: true, force: true }));
  for (const file of files) {
    mkdirSync(dirname(join(modules, file)), { recursive: true });
    writeFileSync(join(modules, file), "");
  }
  pruneAll(modules);
  return files.filter((file) => existsSync(join(modules, file)));
}

const own = `onnxruntime-node/bin/napi-v6/${process.platform}/${process.arch}/onnxruntime.node`;
const other = "onnxruntime-node/bin/napi-v6/another/arch/onnxruntime.node";

test("an installation keeps the programs of its own platform and no source maps", () => {
  const files = [own, other, "zod/index.js", "zod/index.js.map", "@scope/name/node_modules/deep/a.cjs.map"];
  expect(leftAfterPruning(files)).toEqual([own, "zod/index.js"]);
});

test("a package without a program for this platform keeps all of them", () => {
  expect(leftAfterPruning([other])).toEqual([other]);
});
