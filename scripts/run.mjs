// `node scripts/run.mjs bench/run.ts …`: a program in TypeScript that is run beside the service, also right after a clone.
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { prepare } from "./prepare.mjs";

await prepare();
// What follows the file's name is for the program itself.
const [file] = process.argv.splice(2, 1);
const { register } = await import("tsx/esm/api");
register();
const { main } = await import(pathToFileURL(resolve(file)).href);
await main?.();
