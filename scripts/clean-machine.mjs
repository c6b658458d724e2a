// `npm run clean-machine`: simulates a new user. Clones the last commit into an empty folder, with an empty home
// and an empty npm cache, runs the two commands of the README, calls the service once, and reports times and sizes.
// `-- --start` skips `npm test`, which takes minutes.
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "./prepare.mjs";

const startOnly = process.argv.includes("--start");
const folder = mkdtempSync(join(tmpdir(), "baton-clean-"));
const clone = join(folder, "baton");
// The registry is the only npm setting of this machine that is kept.
const registry = spawnSync("npm", ["config", "get", "registry"], { encoding: "utf8" }).stdout.trim();
const environment = {
  PATH: process.env.PATH,
  HOME: join(folder, "home"),
  npm_config_cache: join(folder, "npm-cache"),
  npm_config_registry: registry,
  PORT: "0",
};
const figures = [];

try {
  const from = spawnSync("git", ["-C", root, "rev-parse", "--short", "HEAD"], { encoding: "utf8" });
  run("git clone", folder, "git", ["clone", "--quiet", "--no-hardlinks", root, clone]);
  console.log(`commit ${from.stdout.trim()}, Node ${process.version}, ${process.platform} ${process.arch}`);
  figures.push(["clone", megabytes(clone)]);
  if (!startOnly) run("npm test on a new machine", clone, "npm", ["test"]);
  await startOnce(startOnly ? "npm start to ready on a new machine" : "npm start to ready");
  figures.push(["node_modules", megabytes(join(clone, "node_modules"))]);
  figures.push(["dist", megabytes(join(clone, "dist"))]);
  figures.push(["npm cache", megabytes(join(folder, "npm-cache"))]);
  console.log("\n| What | Figure |\n|---|---|");
  for (const [name, figure] of figures) console.log(`| ${name} | ${figure} |`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function run(name, cwd, command, args) {
  const startedAt = performance.now();
  const { status } = spawnSync(command, args, { cwd, env: environment, stdio: "inherit" });
  if (status !== 0) throw new Error(`${name} exited with ${status}.`);
  figures.push([name, seconds(startedAt)]);
}

/** Starts the service, creates a workflow, calls it, and stops the service as Ctrl-C does. */
async function startOnce(name) {
  const startedAt = performance.now();
  const child = spawn("npm", ["start"], {
    cwd: clone,
    env: environment,
    stdio: ["ignore", "pipe", "inherit"],
    // A separate process group, so that the signal reaches the service and not only npm.
    detached: true,
  });
  const ended = new Promise((resolve) => child.once("close", resolve));
  try {
    const address = await addressOf(child, ended);
    figures.push([name, seconds(startedAt)]);
    await callOnce(address);
    figures.push(["first call of a new workflow", "succeeded"]);
  } finally {
    if (child.pid !== undefined) process.kill(-child.pid, "SIGTERM");
    await ended;
  }
}

function addressOf(child, ended) {
  return new Promise((resolve, reject) => {
    let text = "";
    child.stdout.on("data", (chunk) => {
      text += chunk;
      const found = /API documentation\s+(\S+)\/api\/docs/.exec(text)?.[1];
      if (found !== undefined) resolve(found);
    });
    void ended.then((code) => reject(new Error(`npm start exited with ${code}:\n${text}`)));
  });
}

async function callOnce(address) {
  const headers = { "content-type": "application/json" };
  const send = async (path, body) =>
    (await fetch(address + path, { method: "POST", headers, body: JSON.stringify(body) })).json();
  const account = { email: "ada@example.com", password: "correct horse" };
  headers.authorization = `Bearer ${(await send("/api/auth/register", account)).token}`;
  await send("/api/workflows", {
    name: "Greeting",
    metadata: { steps: [{ stepId: "greet", type: "transform", template: "Hello {{input.name}}!" }] },
    apiSettings: { enabled: true, endpointName: "greet", authentication: false },
  });
  const response = await send("/api/workflows/public/greet", { input: { name: "Ada" } });
  if (response.result?.output !== "Hello Ada!")
    throw new Error(`Unexpected response: ${JSON.stringify(response)}`);
}

function seconds(startedAt) {
  return `${((performance.now() - startedAt) / 1000).toFixed(1)} s`;
}

function megabytes(path) {
  let bytes = 0;
  for (const entry of readdirSync(path, { recursive: true, withFileTypes: true }))
    if (entry.isFile()) bytes += statSync(join(entry.parentPath ?? entry.path, entry.name)).size;
  return `${(bytes / 2 ** 20).toFixed(1)} MB`;
}
