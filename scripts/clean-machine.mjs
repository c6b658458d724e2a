// `npm run clean-machine`: what a stranger does. Clones the last commit into an empty folder, with an empty home and an
// empty npm cache, runs the two commands of the README, calls the service once, and reports times and sizes.
// `-- --start` leaves out `npm test`, which takes minutes.
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "./prepare.mjs";

const startOnly = process.argv.includes("--start");
const folder = mkdtempSync(join(tmpdir(), "baton-clean-"));
const clone = join(folder, "baton");
// The registry is this machine's own choice; nothing else of its settings comes along.
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
  figures.push(["the clone", megabytes(clone)]);
  if (!startOnly) run("npm test, from an empty machine", clone, "npm", ["test"]);
  await startOnce(startOnly ? "npm start to ready, from an empty machine" : "npm start to ready");
  figures.push(["node_modules", megabytes(join(clone, "node_modules"))]);
  figures.push(["dist", megabytes(join(clone, "dist"))]);
  figures.push(["the npm cache, filled", megabytes(join(folder, "npm-cache"))]);
  console.log("\n| what | figure |\n|---|---|");
  for (const [what, figure] of figures) console.log(`| ${what} | ${figure} |`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function run(what, cwd, command, args) {
  const began = performance.now();
  const { status } = spawnSync(command, args, { cwd, env: environment, stdio: "inherit" });
  if (status !== 0) throw new Error(`${what} ended with ${status}.`);
  figures.push([what, seconds(began)]);
}

/** Starts the service, makes a workflow and calls it, and stops it as Ctrl-C does. */
async function startOnce(what) {
  const began = performance.now();
  const child = spawn("npm", ["start"], {
    cwd: clone,
    env: environment,
    stdio: ["ignore", "pipe", "inherit"],
    // A group of its own, so that the signal reaches the service behind npm.
    detached: true,
  });
  const ended = new Promise((resolve) => child.once("close", resolve));
  try {
    const address = await addressOf(child, ended);
    figures.push([what, seconds(began)]);
    await callOnce(address);
    figures.push(["the first call of a new workflow", "answered"]);
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
    void ended.then((code) => reject(new Error(`npm start ended with ${code}:\n${text}`)));
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
  const answer = await send("/api/workflows/public/greet", { input: { name: "Ada" } });
  if (answer.result?.output !== "Hello Ada!") throw new Error(`Not greeted: ${JSON.stringify(answer)}`);
}

function seconds(began) {
  return `${((performance.now() - began) / 1000).toFixed(1)} s`;
}

function megabytes(path) {
  let bytes = 0;
  for (const entry of readdirSync(path, { recursive: true, withFileTypes: true }))
    if (entry.isFile()) bytes += statSync(join(entry.parentPath ?? entry.path, entry.name)).size;
  return `${(bytes / 2 ** 20).toFixed(1)} MB`;
}
