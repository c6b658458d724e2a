import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
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
  "node_modules/@test/tool": { version: "3.0.0", integrity: "sha512-t", dev: true },
  "node_modules/baton-web": { resolved: "web", link: true },
  web: { name: "baton-web" },
};
const {
  "": _root,
  web: _web,
  "node_modules/baton-web": _link,
  "node_modules/other-platform": _optional,
  "node_modules/@test/tool": tool,
  ...present
} = locked;

/** A project with the scripts of this one and a program named npm, which finds the folder of the project as `project`. */
function createProject(npm: string) {
  const folder = mkdtempSync(join(tmpdir(), "baton-installation-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const name of ["bin", "scripts"])
    cpSync(join(scripts, "..", name), join(folder, name), { recursive: true });
  writeFileSync(join(folder, "package-lock.json"), JSON.stringify({ packages: locked }));
  mkdirSync(join(folder, "programs"));
  const program = join(folder, "programs", "npm");
  writeFileSync(program, npmProgram(folder, npm));
  chmodSync(program, 0o755);
  return folder;
}

function npmProgram(folder: string, npm: string): string {
  return `#!/usr/bin/env node
    const fs = require("node:fs");
    const project = ${JSON.stringify(folder)} + "/";
    ${npm}`;
}

/** What `npm ci` leaves behind. */
function completeInstallation(folder: string, packages: object = present): void {
  for (const path of Object.keys(packages)) mkdirSync(join(folder, path), { recursive: true });
  writeFileSync(join(folder, "node_modules", ".package-lock.json"), JSON.stringify({ packages }));
}

/** Installs as every command of the project does first. */
function startInstalling(folder: string, dev = false) {
  const script = `import { ensureInstalled } from "./scripts/prepare.mjs"; await ensureInstalled({ dev: ${dev} });`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", script], {
    cwd: folder,
    env: { ...process.env, PATH: join(folder, "programs") + delimiter + process.env["PATH"] },
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (output += chunk.toString()));
  return { child, ended: once(child, "close").then(([code]) => ({ code: code as number | null, output })) };
}

const COUNT = 'fs.appendFileSync(project + "calls", "x");';
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
  const wait = 'fs.writeFileSync(project + "pid", String(process.pid)); setInterval(() => {}, 1000);';
  const folder = createProject(wait);
  completeInstallation(folder, { ...present, "node_modules/old": { version: "1.0.0" } });
  rmSync(join(folder, "node_modules/alpha"), { recursive: true });
  const first = startInstalling(folder);
  await expect.poll(() => existsSync(join(folder, "pid")), { timeout: 60_000 }).toBe(true);
  first.child.kill("SIGKILL");
  await first.ended;
  const pid = Number(readFileSync(join(folder, "pid"), "utf8"));
  await expect.poll(() => isAlive(pid), { timeout: 60_000 }).toBe(false);

  // The interrupted installation left node_modules as it was.
  expect(readdirSync(join(folder, "node_modules"))).toEqual([".package-lock.json", "old"]);
  writeFileSync(join(folder, "programs", "npm"), npmProgram(folder, COUNT));
  expect((await startInstalling(folder).ended).code).toBe(0);
  expect(calls(folder)).toBe(1);
});

test("a start needs no package of the tests, and the tests install them", async () => {
  const folder = createProject(
    `${COUNT} fs.writeFileSync(project + "options", process.argv.slice(2).join(" "));`,
  );
  await startInstalling(folder).ended;
  expect(readFileSync(join(folder, "options"), "utf8")).toContain("--omit=dev");
  completeInstallation(folder);
  await startInstalling(folder).ended;
  expect(calls(folder)).toBe(1);
  await startInstalling(folder, true).ended;
  expect(calls(folder)).toBe(2);
  expect(readFileSync(join(folder, "options"), "utf8")).not.toContain("--omit");
  completeInstallation(folder, { ...present, "node_modules/@test/tool": tool });
  await startInstalling(folder, true).ended;
  await startInstalling(folder).ended;
  expect(calls(folder)).toBe(2);
});

/** An npm that installs one package with a file of another platform. */
const INSTALL = `${COUNT}
  fs.copyFileSync("package-lock.json", project + "used-lock");
  const binaries = "node_modules/onnxruntime-node/bin/napi-v6";
  for (const folder of [process.platform + "/" + process.arch, "other/chip"]) {
    fs.mkdirSync(binaries + "/" + folder, { recursive: true });
    fs.writeFileSync(binaries + "/" + folder + "/binding.node", "");
  }`;

test("the new packages replace the old ones once they are complete, without files of other platforms", async () => {
  const folder = createProject(`${INSTALL} if (fs.existsSync(project + "full")) process.exit(1);`);
  mkdirSync(join(folder, "node_modules/old"), { recursive: true });
  writeFileSync(join(folder, "full"), "");
  expect((await startInstalling(folder).ended).code).toBe(1);
  expect(readdirSync(join(folder, "node_modules"))).toEqual(["old"]);

  rmSync(join(folder, "full"));
  expect((await startInstalling(folder).ended).code).toBe(0);
  expect(readdirSync(join(folder, "node_modules"))).toEqual(["onnxruntime-node"]);
  const binaries = readdirSync(join(folder, "node_modules/onnxruntime-node/bin"), { recursive: true });
  expect(binaries.filter((path) => String(path).endsWith("binding.node"))).toEqual([
    join("napi-v6", process.platform, process.arch, "binding.node"),
  ]);
  expect(existsSync(join(folder, "dist/.install"))).toBe(false);
});

test("npm receives the address of every package, and looks it up where the registry has another", async () => {
  const folder = createProject(`${INSTALL}
    if (fs.readFileSync("package-lock.json", "utf8").includes(".tgz") && fs.existsSync(project + "moved")) {
      console.error("npm error code E404");
      process.exit(1);
    }`);
  const used = () => readFileSync(join(folder, "used-lock"), "utf8");
  await startInstalling(folder).ended;
  expect(JSON.parse(used())).toMatchObject({
    packages: {
      "node_modules/alpha/node_modules/beta": {
        resolved: expect.stringMatching(/\/beta\/-\/beta-2\.0\.0\.tgz$/),
      },
      "node_modules/@test/tool": { resolved: expect.stringMatching(/\/@test\/tool\/-\/tool-3\.0\.0\.tgz$/) },
      "node_modules/baton-web": { resolved: "web" },
    },
  });
  writeFileSync(join(folder, "moved"), "");
  expect((await startInstalling(folder).ended).code).toBe(0);
  expect(calls(folder)).toBe(3);
  expect(JSON.parse(used())).toEqual({ packages: locked });
});

test("packages that both manifests list have one version", () => {
  const read = (file: string) => JSON.parse(readFileSync(join(scripts, "..", file), "utf8"));
  const { dependencies } = read("web/package.json");
  const { devDependencies } = read("package.json");
  const shared = Object.keys(dependencies).filter((name) => name in devDependencies);
  expect(shared).toContain("esbuild");
  for (const name of shared) expect([name, devDependencies[name]]).toEqual([name, dependencies[name]]);
});

test("another failure of npm is shown once and ends the start", async () => {
  const folder = createProject(`${COUNT} console.error("npm error code E503"); process.exit(1);`);
  const { code, output } = await startInstalling(folder).ended;
  expect(code).toBe(1);
  expect(output).toContain("npm error code E503");
  expect(calls(folder)).toBe(1);
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
