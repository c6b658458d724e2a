// `node scripts/run.mjs bench/run.ts …`: runs a TypeScript program, also right after a clone.
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { prepare } from "./prepare.mjs";
import { isUsageError } from "./usage-error.mjs";

await prepare({ dev: true });
// The arguments after the file name belong to the program.
const [file] = process.argv.splice(2, 1);
const { register } = await import("tsx/esm/api");
register();
try {
  const { main } = await import(pathToFileURL(resolve(file)).href);
  await main?.();
} catch (error) {
  if (!isUsageError(error)) throw error;
  console.error(error.message);
  process.exitCode = 2;
}
