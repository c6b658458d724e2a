import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));
const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

function baton(folder: string, ...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(folder, "bin/baton.mjs"), ...args], {
    cwd: folder,
    encoding: "utf8",
  });
  return { status, stdout, stderr };
}

/** An installed package whose programs print their arguments. */
function createPackage(): string {
  const folder = mkdtempSync(join(tmpdir(), "baton-command-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  cpSync(join(root, "bin"), join(folder, "bin"), { recursive: true });
  writeFileSync(join(folder, "package.json"), JSON.stringify({ version: "1.2.3", type: "module" }));
  mkdirSync(join(folder, "dist/server"), { recursive: true });
  for (const name of ["main", "backup"])
    writeFileSync(
      join(folder, `dist/server/${name}.js`),
      `console.log("${name}", ...process.argv.slice(2)); process.exitCode = 1;`,
    );
  return folder;
}

test("help and version print and succeed, an unknown command fails with 2", () => {
  for (const args of [[], ["help"], ["--help"], ["start", "--help"], ["restore", "-h"]]) {
    const { status, stdout } = baton(root, ...args);
    expect([args, status]).toEqual([args, 0]);
    expect(stdout).toContain("Usage: baton <command>");
    for (const command of ["start", "dev", "admin", "backup", "restore", "move", "doctor"])
      expect(stdout).toMatch(new RegExp(`^ {2}${command} `, "m"));
  }
  expect(baton(root, "--version")).toMatchObject({ status: 0, stdout: `${manifest.version}\n` });
  const unknown = baton(root, "strat");
  expect(unknown).toMatchObject({ status: 2, stdout: "" });
  expect(unknown.stderr).toContain('There is no command "strat"');
  expect(baton(root, "toString").status).toBe(2);
});

test("an installed package runs its built programs with their arguments and exit codes", () => {
  const folder = createPackage();
  expect(baton(folder, "start")).toMatchObject({ status: 1, stdout: "main\n" });
  expect(baton(folder, "backup", "copy", "--help")).toMatchObject({ stdout: "backup copy --help\n" });
  expect(baton(folder, "version").stdout).toBe("1.2.3\n");
  const dev = baton(folder, "dev");
  expect(dev).toMatchObject({ status: 1, stdout: "" });
  expect(dev.stderr).toContain("needs the sources");
});

test("start takes no arguments, so that --port is not taken for a setting", () => {
  const folder = createPackage();
  for (const command of ["start", "dev"]) {
    const refused = baton(folder, command, "--port", "4000");
    expect(refused).toMatchObject({ status: 2, stdout: "" });
    expect(refused.stderr).toContain(`baton ${command} takes no arguments, and got "--port".`);
    expect(refused.stderr).toContain("PORT=3001");
  }
});

test("the scripts of a clone run the same command", () => {
  expect(manifest.bin).toEqual({ baton: "bin/baton.mjs" });
  for (const name of ["start", "dev", "admin", "backup", "restore", "move", "doctor"])
    expect(manifest.scripts[name]).toBe(`node bin/baton.mjs ${name}`);
});
