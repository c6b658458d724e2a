import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    root: fileURLToPath(new URL("../..", import.meta.url)),
    include: ["test/browser/**/*.test.ts"],
    globalSetup: import.meta.resolve("./support/browser-server.ts"),
    // A visit waits as often as it works: two at a time are done in three quarters of the time, also on two cores.
    maxWorkers: 2,
    // The service is imported once for all files instead of once for each.
    isolate: false,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 8000 } },
  },
});
