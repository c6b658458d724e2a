import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { App } from "../apps/define-app.ts";
import type { AppExamples } from "./apps/support/app-examples.ts";
import { appProblems } from "./apps/support/app-problems.ts";

const script = resolve("scripts/new-app.mjs");

test("a new app is a valid file with its examples, in both lists", async () => {
  const root = mkdtempSync(join(tmpdir(), "baton-new-app-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  mkdirSync(join(root, "test"));
  cpSync("apps", join(root, "apps"), { recursive: true });
  cpSync("contract", join(root, "contract"), { recursive: true });
  cpSync("test/apps", join(root, "test/apps"), { recursive: true });
  const run = (...args: string[]) =>
    spawnSync(process.execPath, [script, ...args], { cwd: root, encoding: "utf8" });

  expect(run("my-service").stdout).toContain("Created apps/my-service.ts and test/apps/my-service.ts.");
  for (const [file, name] of [
    ["apps/all.ts", "myService"],
    ["test/apps/all.ts", "myServiceExamples"],
  ] as const) {
    const text = readFileSync(join(root, file), "utf8");
    expect(text).toContain(`import { ${name} } from "./my-service.ts";`);
    expect(text).toMatch(new RegExp(`\\n  ${name},\\n`));
    expect(text.match(/^import \{ \w+ \} from/gm)?.length).toBe(text.match(/^ {2}\w+,$/gm)?.length);
  }
  const { myService } = (await import(join(root, "apps/my-service.ts"))) as { myService: App };
  expect(appProblems(myService)).toEqual([]);
  const { myServiceExamples } = (await import(join(root, "test/apps/my-service.ts"))) as {
    myServiceExamples: AppExamples;
  };
  expect(Object.keys(myServiceExamples.actions)).toEqual(Object.keys(myService.actions));

  expect(run("my-service")).toMatchObject({
    status: 1,
    stderr: expect.stringContaining("apps/my-service.ts exists."),
  });
  expect(run("My Service").stderr).toContain("kebab-case");
});
