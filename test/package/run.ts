// `npm run test:package`: packs Baton as for the npm registry, installs it in an empty folder, and uses its command as a
// new user does. Not a part of `npm test`, because it downloads the packages of the service.
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
const FORBIDDEN = /^package\/(server|web|test|scripts|data|node_modules|\.env$|\.git)|\.map$|\.ts$/;

export async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "baton-package-"));
  try {
    const packed = pack(folder);
    const project = join(folder, "project");
    mkdirSync(project);
    const install = ["install", "--no-audit", "--no-fund", "--loglevel=error", join(folder, packed)];
    execFileSync("npm", install, { cwd: project, stdio: "inherit" });
    await use(project);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The package has the command, the built service and the built page, and nothing else. */
function pack(folder: string): string {
  execFileSync(process.execPath, ["scripts/package.mjs", folder], { cwd: root, stdio: "inherit" });
  const packed = readdirSync(folder).find((name) => name.endsWith(".tgz"));
  if (packed === undefined) throw new Error("npm pack wrote no package.");
  const files = execFileSync("tar", ["-tzf", join(folder, packed)], { encoding: "utf8" })
    .trim()
    .split("\n");
  const unwanted = files.filter((file) => FORBIDDEN.test(file));
  if (unwanted.length > 0)
    throw new Error(`The package has files that it should not have:\n${unwanted.join("\n")}`);
  for (const needed of [
    "bin/baton.mjs",
    "dist/server/main.js",
    "dist/server/service.cjs",
    "dist/server/new-database.sqlite",
    "dist/server/doctor.js",
    "dist/web/index.html",
    "LICENSE",
  ])
    if (!files.includes(`package/${needed}`)) throw new Error(`The package lacks ${needed}.`);
  console.log(`${packed}: ${files.length} files`);
  return packed;
}

async function use(project: string): Promise<void> {
  const baton = (...args: string[]) =>
    execFileSync("npx", ["baton", ...args], { cwd: project, encoding: "utf8", env: settings });
  const { PATH, HOME } = process.env;
  const settings = { PATH, HOME, PORT: "0" };
  console.log(`version ${baton("version").trim()}`);
  const service = spawn("npx", ["baton", "start"], {
    cwd: project,
    env: settings,
    stdio: ["ignore", "pipe", "inherit"],
    detached: true,
  });
  const ended = once(service, "close");
  try {
    const address = await addressOf(service);
    await expectStatus(`${address}/ready`, 200);
    await expectStatus(`${address}/workflows`, 200);
    const headers = { "content-type": "application/json" };
    const body = JSON.stringify({ email: "ada@example.com", password: "correct horse" });
    const response = await fetch(`${address}/api/auth/register`, { method: "POST", headers, body });
    if (response.status !== 201) throw new Error(`Registration answered ${response.status}.`);
    console.log("started, served the page and registered an account");
    console.log(baton("backup", "copy").trim());
  } finally {
    // The whole group, as Ctrl-C in a terminal does.
    if (service.pid !== undefined) process.kill(-service.pid, "SIGTERM");
    await ended;
  }
  console.log(baton("doctor").trim());
}

function addressOf(service: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = "";
    service.stdout?.on("data", (chunk: Buffer) => {
      text += chunk.toString();
      const found = /API documentation\s+(\S+)\/api\/docs/.exec(text)?.[1];
      if (found !== undefined) resolve(found);
    });
    service.once("close", (code) => reject(new Error(`baton start exited with ${code}:\n${text}`)));
  });
}

async function expectStatus(url: string, status: number): Promise<void> {
  const response = await fetch(url, { headers: { accept: "text/html" } });
  if (response.status !== status) throw new Error(`${url} answered ${response.status} instead of ${status}.`);
}
