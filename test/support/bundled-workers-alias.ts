import { fileURLToPath } from "node:url";

/** For `resolve.alias` of every Vitest configuration. */
export const bundledWorkers = {
  find: /^.*\/lib\/worker-file\.ts$/,
  replacement: fileURLToPath(new URL("./bundled-worker.ts", import.meta.url)),
};
