import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";

const scripts = fileURLToPath(new URL("../scripts", import.meta.url));

const locked = {
  "": { name: "baton" },
  "node_modules/alpha": { version: "1.0.0", integrity: "sha512-a" },
  "node_modules/alpha/node_modules/beta": { version: "2.0.0", integrity: "sha512-b" },
  "node_modules/other-platform": { version: "1.0.0", integrity: "sha512-o", optional: true },
};
const { "": _root, "node_modules/other-platform": _optional, ...present } = locked;

/** A project with the scripts of this one and a program named npm, which receives its folder as the first argument. */
function createProject(npm: string) {
  const folder = mkdtempSync(join(tmpdir(), "baton-installation-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  cpSync(scripts, join(folder, "scripts"), { recursive: true });
  writeFileSync(join(folder, "package-lock.json"), JSON.stringify({ packages: locked }));
  mkdirSync(join(folder, "bin"));
  const program = join(folder, "bin", "npm");
  writeFileSync(program, `#!/usr/bin/env node\nconst fs = require("node:fs");\n${npm}`);
  chmodSync(program, 0o755);
  return folder;
}

/** What `npm ci` leaves behind. */
function completeInstallation(folder: string, packages: object = present): void {
  for (const path of Object.keys(packages)) mkdirSync(join(folder, path), { recursive: true });
  writeFileSync(join(folder, "node_modules", ".package-lock.json"), JSON.stringify({ packages }));
}

/** Installs as every command of the project does first. */
function startInstalling(folder: string) {
  const script = 'import { ensureInstalled } from "./scripts/prepare.mjs"; await ensureInstalled();';
  const child = spawn(process.execPath, ["--input-type=module", "-e", script], {
    cwd: folder,
    env: { ...process.env, PATH: join(folder, "bin") + delimiter + process.env["PATH"] },
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (output += chunk.toString()));
  return { child, ended: once(child, "close").then(([code]) => ({ code: code as number | null, output })) };
}

const COUNT = 'fs.appendFileSync("calls", "x");';
const calls = (folder: string) =>
  existsSync(join(folder, "calls")) ? readFileSync(join(folder, "calls"), "utf8").length : 0;

test("nothing is installed after a plain npm ci", async () => {
  const folder = createProject(COUNT);
  completeInstallation(folder);
  expect(await startInstalling(folder).ended).toEqual({ code: 0, output: "" });
  expect(calls(folder)).toBe(0);
});

test("a missing, older or half removed package is installed", async () => {
  const { "node_modules/alpha": alpha, ...withoutAlpha } = present;
  for (const packages of [
    withoutAlpha,
    { ...present, "node_modules/alpha": { ...alpha, version: "0.9.0" } },
    { ...present, "node_modules/alpha": { ...alpha, integrity: "sha512-x" } },
  ]) {
    const folder = createProject(COUNT);
    completeInstallation(folder, packages);
    expect((await startInstalling(folder).ended).code).toBe(0);
    expect(calls(folder)).toBe(1);
  }
  const folder = createProject(COUNT);
  completeInstallation(folder);
  rmSync(join(folder, "node_modules/alpha/node_modules"), { recursive: true });
  await startInstalling(folder).ended;
  expect(calls(folder)).toBe(1);
});

test("npm ends with a killed start, and the next start installs again", async () => {
  const wait = 'fs.writeFileSync("pid", String(process.pid)); setInterval(() => {}, 1000);';
  const folder = createProject(wait);
  completeInstallation(folder, { ...present, "node_modules/old": { version: "1.0.0" } });
  rmSync(join(folder, "node_modules/alpha"), { recursive: true });
  const first = startInstalling(folder);
  await expect.poll(() => existsSync(join(folder, "pid"))).toBe(true);
  first.child.kill("SIGKILL");
  await first.ended;
  const pid = Number(readFileSync(join(folder, "pid"), "utf8"));
  await expect.poll(() => isAlive(pid), { timeout: 5000 }).toBe(false);

  // The interrupted installation is not taken for a complete one, even if every folder exists.
  mkdirSync(join(folder, "node_modules/alpha/node_modules/beta"), { recursive: true });
  writeFileSync(join(folder, "bin", "npm"), `#!/usr/bin/env node\nconst fs = require("node:fs");${COUNT}`);
  expect((await startInstalling(folder).ended).code).toBe(0);
  expect(calls(folder)).toBe(1);
});

test("leftovers in the way of npm are removed and the installation is repeated", async () => {
  const npm = `${COUNT}
    if (fs.existsSync("node_modules/.alpha-x1")) {
      console.error("npm error code ENOTEMPTY");
      process.exit(217);
    }`;
  const folder = createProject(npm);
  mkdirSync(join(folder, "node_modules/.alpha-x1"), { recursive: true });
  expect((await startInstalling(folder).ended).code).toBe(0);
  expect(calls(folder)).toBe(2);
});

test("another failure of npm is shown once and ends the start", async () => {
  const folder = createProject(`${COUNT} console.error("npm error code E404"); process.exit(1);`);
  const { code, output } = await startInstalling(folder).ended;
  expect(code).toBe(1);
  expect(output).toContain("npm error code E404");
  expect(calls(folder)).toBe(1);
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
