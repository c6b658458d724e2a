#!/usr/bin/env node
// `baton <command>`: every command of the published package. In a clone, `npm start` and `npm run <command>` call this
// file too; there it installs and builds first. Plain JavaScript without packages, since it runs before both.
import { existsSync, readFileSync } from "node:fs";
import { requireNode } from "./require-node.mjs";
import { stopWithParent } from "./stop-with-parent.mjs";

const COMMANDS = {
  start: { program: "main", summary: "start the service" },
  doctor: { program: "doctor", summary: "check this machine and the settings, and say what to do [--json]" },
  admin: {
    program: "admin",
    summary: "commands for operators, such as reset-password; lists them without one",
  },
  backup: { program: "backup", summary: "copy the embedded instance while it runs: <new folder>" },
  restore: {
    program: "restore",
    summary: "restore a backup into an empty data folder: <backup> [--data-dir <folder>]",
  },
  move: {
    program: "move",
    summary: "copy a stopped embedded instance into PostgreSQL: --to <address> [--files s3]",
  },
  dev: { summary: "run the sources and restart on change; only in a clone of the repository" },
};
const WITHOUT_ARGUMENTS = ["start", "dev"];
const USAGE_ERROR = 2;
const HELP = ["--help", "-h"];
const inRoot = (path) => new URL(`../${path}`, import.meta.url);
const isClone = existsSync(inRoot("server/main.ts"));

// The arguments after the name belong to the command.
const [name = "help"] = process.argv.splice(2, 1);
// `baton admin` lists its commands itself.
const asksForHelp = HELP.includes(process.argv[2]) && Object.hasOwn(COMMANDS, name) && name !== "admin";
if (name === "help" || HELP.includes(name) || asksForHelp) console.log(help());
else if (["version", "--version", "-v"].includes(name)) console.log(version());
else if (Object.hasOwn(COMMANDS, name)) await run(name);
else fail(`There is no command ${JSON.stringify(name)}.\n\n${help()}`, USAGE_ERROR);

async function run(command) {
  requireNode();
  const [unexpected] = process.argv.slice(2);
  if (unexpected !== undefined && WITHOUT_ARGUMENTS.includes(command))
    fail(
      `baton ${command} takes no arguments, and got ${JSON.stringify(unexpected)}. Set environment variables, such as PORT=3001.`,
      USAGE_ERROR,
    );
  // npm and npx run this in a shell that does not forward signals. Also during the installation, which takes a minute.
  if (command === "start" && process.env.npm_lifecycle_event !== undefined) stopWithParent();
  const { program } = COMMANDS[command];
  if (isClone) return runInClone(program);
  if (program === undefined)
    fail(`baton ${command} needs the sources: clone the repository and run npm run dev.`, 1);
  await import(inRoot(`dist/server/${program}.js`).href);
}

async function runInClone(program) {
  if (program === undefined) return import(inRoot("scripts/dev.mjs").href);
  const { prepare } = await import(inRoot("scripts/prepare.mjs").href);
  await prepare();
  return import(inRoot(`dist/server/${program}.js`).href);
}

function help() {
  const lines = Object.entries(COMMANDS).map(([command, { summary }]) => `  ${command.padEnd(8)} ${summary}`);
  return `Usage: baton <command> [arguments]

${lines.join("\n")}
  version  print the version

Settings are environment variables or lines of the file .env in the current folder. Data is in ./data unless DATA_DIR
names another folder. Exit codes: 0 success, 1 failure, 2 unknown command or argument.`;
}

function version() {
  return JSON.parse(readFileSync(inRoot("package.json"), "utf8")).version;
}

function fail(message, code) {
  console.error(message);
  process.exit(code);
}
