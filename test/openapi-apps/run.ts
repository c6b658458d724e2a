import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import type { AppAction } from "../../apps/define-app.ts";
import { inputSchemaOf } from "../../contract/apps.ts";
import { callEveryAction } from "./calls.ts";
import { readOpenApiDocument } from "../../server/openapi-apps/document-reader.ts";
import { UsageError } from "../../scripts/usage-error.mjs";

/**
 * `npm run test:openapi-apps -- <folder>`: every document of a folder as an app, with what became of its operations.
 * The delay is that of the process's own event loop while a thread reads the document.
 */
export async function main(): Promise<void> {
  const folder = process.argv[2];
  if (folder === undefined)
    throw new UsageError(
      "Usage: npm run test:openapi-apps -- <folder with .json and .yaml documents> [--calls]",
    );
  if (process.argv[3] === "--calls") return printCalls(folder);
  const head = [
    "Document",
    "Size",
    "Operations",
    "Actions",
    "Lists",
    "Logins",
    "Time",
    "Stored",
    "Memory",
    "Delay",
  ];
  console.log(`| ${head.join(" | ")} |\n|${head.map(() => "---").join("|")}|`);
  for (const name of documentsIn(folder)) {
    const text = readFileSync(join(folder, name), "utf8");
    try {
      console.log(await rowOf(name, text));
    } catch (error) {
      process.exitCode = 1;
      console.log(`| ${name} | ${(error as Error).message} |`);
    }
  }
}

/** `--calls` sends a request for every action to a local server, and compares it with the document. */
async function printCalls(folder: string): Promise<void> {
  console.log("| Document | Called | With a file, not called | Differences |\n|---|---|---|---|");
  for (const name of documentsIn(folder)) {
    const { called, skipped, problems } = await callEveryAction(readFileSync(join(folder, name), "utf8"));
    console.log(`| ${name} | ${called} | ${skipped} | ${problems.length} |`);
    for (const problem of problems.slice(0, 20)) console.log(`  ${problem}`);
    if (problems.length > 0) process.exitCode = 1;
  }
}

function documentsIn(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => /\.(json|ya?ml)$/.test(name))
    .sort();
}

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;

async function rowOf(name: string, text: string): Promise<string> {
  const delay = monitorEventLoopDelay({ resolution: 5 });
  const memory = watchMemory();
  delay.enable();
  const start = performance.now();
  const packed = await readOpenApiDocument(text, { id: "api_test", fallbackServer: "https://api.example" });
  const ms = Math.round(performance.now() - start);
  delay.disable();
  const peak = memory.stop();
  const actions = packed.actions.map(({ definition }) => JSON.parse(definition) as AppAction);
  for (const { input } of actions) inputSchemaOf(input);
  const reasons = new Map<string, number>();
  for (const { reason } of packed.refused) reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  const cells = [
    name,
    megabytes(Buffer.byteLength(text)),
    packed.operationCount,
    actions.length,
    actions.filter(({ paging }) => paging !== undefined).length,
    [...new Set(packed.app.auth.map(({ kind }) => kind))].join(", "),
    `${ms} ms`,
    megabytes(packed.actions.reduce((sum, { definition }) => sum + definition.length, 0)),
    megabytes(peak),
    `${Math.round(delay.max / 1e6)} ms`,
  ];
  const refused = [...reasons].map(([reason, count]) => `\n|   refused: ${count} × ${reason} |`);
  return `| ${cells.join(" | ")} |${refused.join("")}`;
}

/** The most memory that the process has beyond what it had before. */
function watchMemory() {
  const before = process.memoryUsage.rss();
  let peak = 0;
  const read = (): void => void (peak = Math.max(peak, process.memoryUsage.rss() - before));
  const timer = setInterval(read, 20);
  return {
    stop(): number {
      clearInterval(timer);
      read();
      return peak;
    },
  };
}
