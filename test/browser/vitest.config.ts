import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    root: fileURLToPath(new URL("../..", import.meta.url)),
    include: ["test/browser/**/*.test.ts"],
    // One browser at a time: two of them on two cores are slower than one after the other.
    fileParallelism: false,
    // The service is imported once for all files instead of once for each.
    isolate: false,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
