// `node scripts/run.mjs bench/n8n-import/run.ts <folder>`: imports every n8n workflow in a folder of JSON files,
// checks that each draft could be published, and counts nodes by result.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { ImportResult } from "../../contract/n8n-import.ts";
import { validateGraph } from "../../contract/graph/validate.ts";
import { isRecord } from "../../contract/placeholders/json-value.ts";
import { appProblems } from "../../server/apps/graph-problems.ts";
import { atOnce } from "../../server/lib/in-turns.ts";
import { convertWorkflow } from "../../server/n8n-import/convert.ts";
import { findScriptProblems } from "../../server/workflows/check-scripts.ts";

function* workflows(folder: string): Generator<Record<string, unknown>> {
  for (const path of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    if (!path.endsWith(".json")) continue;
    try {
      const file: unknown = JSON.parse(readFileSync(join(folder, path), "utf8"));
      if (isRecord(file) && Array.isArray(file["nodes"]) && file["nodes"].length > 0) yield file;
    } catch {
      // Not a workflow.
    }
  }
}

export function main(): void {
  const [folder] = process.argv.slice(2);
  if (folder === undefined) throw new Error("Usage: node scripts/run.mjs bench/n8n-import/run.ts <folder>");
  const counts: Record<ImportResult, number> = { ready: 0, check: 0, unsupported: 0 };
  const unsupported = new Map<string, number>();
  let [total, valid, complete] = [0, 0, 0];
  for (const file of workflows(folder)) {
    total += 1;
    const { workflow, counts: own, nodes } = atOnce(convertWorkflow(file, {}));
    const { metadata } = workflow;
    const problems = [
      ...validateGraph(metadata).errors,
      ...atOnce(findScriptProblems(metadata)),
      ...appProblems(metadata),
    ];
    if (problems.length === 0) valid += 1;
    if (own.unsupported === 0) complete += 1;
    for (const result of ["ready", "check", "unsupported"] as const) counts[result] += own[result];
    for (const { type, result } of nodes)
      if (result === "unsupported") unsupported.set(type, (unsupported.get(type) ?? 0) + 1);
  }
  const all = counts.ready + counts.check + counts.unsupported;
  const percent = (part: number, whole: number): string =>
    `${((100 * part) / Math.max(1, whole)).toFixed(1)} %`;
  console.log(`workflows             ${total}`);
  console.log(`valid drafts          ${valid} (${percent(valid, total)})`);
  console.log(`without placeholders  ${complete} (${percent(complete, total)})`);
  for (const [result, count] of Object.entries(counts))
    console.log(`nodes ${result.padEnd(15)} ${count} (${percent(count, all)})`);
  console.log("\nunsupported most often:");
  for (const [type, count] of [...unsupported].toSorted(([, a], [, b]) => b - a).slice(0, 25))
    console.log(`${String(count).padStart(6)}  ${type}`);
}
