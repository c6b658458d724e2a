import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { inputSchemaOf } from "../../contract/apps.ts";
import { readOpenApiDocument } from "../../server/openapi-apps/document-reader.ts";

/** `npm run test:openapi-apps -- <folder>`: every document of a folder as an app, with what became of its operations. */
export async function main(): Promise<void> {
  const folder = process.argv[2];
  if (folder === undefined)
    throw new Error("Usage: npm run test:openapi-apps -- <folder with .json and .yaml documents>");
  console.log("| Document | Size | Operations | Actions | Logins | Time |\n|---|---|---|---|---|---|");
  for (const name of readdirSync(folder).sort()) {
    if (!/\.(json|ya?ml)$/.test(name)) continue;
    const text = readFileSync(join(folder, name), "utf8");
    const start = performance.now();
    try {
      const { app, operations, refused } = await readOpenApiDocument(text, { id: "api_test" });
      const ms = Math.round(performance.now() - start);
      const actions = Object.values(app.actions);
      for (const { input } of actions) inputSchemaOf(input);
      const logins = app.auth.map(({ kind }) => kind).join(", ") || "none";
      const size = (Buffer.byteLength(text) / 1e6).toFixed(1);
      console.log(`| ${name} | ${size} MB | ${operations} | ${actions.length} | ${logins} | ${ms} ms |`);
      const reasons = new Map<string, number>();
      for (const { reason } of refused) reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
      for (const [reason, count] of reasons) console.log(`|   refused: ${count} × ${reason} | | | | | |`);
    } catch (error) {
      process.exitCode = 1;
      console.log(`| ${name} | | | | | ${(error as Error).message} |`);
    }
  }
}
