import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { readConfig } from "../../server/config.ts";
import type { TestApp } from "./test-app.ts";

/** The context of a command of `npm run admin` on the stopped app's data, and the lines that the command prints. */
export async function operatorOf(app: Pick<TestApp, "dataDir">, settings: Record<string, string> = {}) {
  const lines: string[] = [];
  const databaseUrl = await readFile(join(app.dataDir, "database-url"), "utf8").catch(() => undefined);
  const config = readConfig({ DATA_DIR: app.dataDir, DATABASE_URL: databaseUrl, ...settings });
  const log = (line: string) => void lines.push(line);
  return { context: { config, log, print: log }, lines };
}
