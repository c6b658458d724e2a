import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { useTemporaryFolder } from "./support/test-app.ts";

const script = new URL("../scripts/memory-folder.mjs", import.meta.url);

/** Creates the folder in a process and returns its id and what was in `parent` before it ended. */
function runIn(parent: string): { pid: number; during: string[] } {
  const program = `
    import { readdirSync } from "node:fs";
    import { createFolderIn } from ${JSON.stringify(script.href)};
    createFolderIn(process.argv[1]);
    console.log(JSON.stringify(readdirSync(process.argv[1])));`;
  const { pid, stdout } = spawnSync(process.execPath, ["--input-type=module", "-e", program, parent], {
    encoding: "utf8",
  });
  return { pid, during: JSON.parse(stdout) as string[] };
}

test("a test run has its own folder and removes it when it ends", async () => {
  const parent = await useTemporaryFolder();
  const { pid, during } = runIn(parent);
  expect(during).toEqual([`baton-tests-${pid}`]);
  expect(readdirSync(parent)).toEqual([]);
});

test("the next run removes the folder of a killed one, and no other", async () => {
  const parent = await useTemporaryFolder();
  const { pid: ended } = runIn(parent);
  const others = [`baton-tests-${process.pid}`, "baton-tests-notes", "baton-other-1"];
  for (const name of [...others, `baton-tests-${ended}`])
    mkdirSync(join(parent, name, "data"), { recursive: true });
  runIn(parent);
  expect(readdirSync(parent).toSorted()).toEqual(others.toSorted());
});
