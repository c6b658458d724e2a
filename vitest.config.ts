import { defineConfig } from "vitest/config";
import { bundledWorkers } from "./test/support/bundled-workers-alias.ts";
import { compiledSources } from "./test/support/compiled-sources.ts";
import { SlowFirst } from "./test/support/slow-first.ts";
import { filesOf } from "./test/support/slow-tests.ts";

export default defineConfig({
  resolve: { alias: [bundledWorkers] },
  plugins: [compiledSources()],
  test: {
    name: "unit",
    ...filesOf("unit", {
      include: ["{apps,contract,eval,server,test,web}/**/*.test.ts"],
      // Browser tests have a separate run: test/browser/vitest.config.ts.
      exclude: ["test/browser/**"],
    }),
    globalSetup: [
      "test/support/postgres-run.ts",
      "test/support/local-model.ts",
      "test/support/worker-bundles.ts",
    ],
    setupFiles: ["test/support/fixed-seed.ts"],
    // One process more than two cores, because tests wait for timers and child processes. A fourth one takes longer to
    // load the service than it saves: 14 files took 69 s instead of 59 s. They keep modules loaded from file to file: no
    // module holds state, and loading the whole service again for each of 400 files takes longer than all their tests.
    isolate: false,
    maxWorkers: 3,
    sequence: { sequencer: SlowFirst },
    // Every test file opens its own data folder, so files can run in parallel. No test asserts a duration;
    // fsync, scrypt and child processes can be slow on a busy machine.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // Shorter than the ten-second fallback poll of the engine, so that a missed notification fails the test.
    expect: { poll: { timeout: 8000 } },
    coverage: {
      provider: "v8",
      include: ["contract/**/*.ts", "server/**/*.ts"],
      exclude: ["**/*.test.ts", "**/testing/**"],
    },
  },
});
