import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["{contract,server,test,web}/**/*.test.ts"],
    // The browser has a run of its own, one file after the other: test/browser/vitest.config.ts.
    exclude: ["test/browser/**", "**/node_modules/**"],
    globalSetup: ["test/support/postgres-run.ts"],
    // One process a core that keeps its modules from file to file: nothing of ours holds state in a module, and
    // loading the whole service anew for each of 150 files takes longer than all their tests.
    isolate: false,
    maxWorkers: 2,
    // Every test file opens its own data folder, so files may run side by side. No test asserts how fast
    // anything is; real fsync, scrypt and child processes on a busy machine just need patience.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // Whoever was overlooked is found by the look every ten seconds at the latest: that must still be a failure.
    expect: { poll: { timeout: 8000 } },
    coverage: {
      provider: "v8",
      include: ["contract/**/*.ts", "server/**/*.ts"],
      exclude: ["**/*.test.ts", "**/testing/**"],
    },
  },
});
