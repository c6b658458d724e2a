import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { bundledWorkers } from "../support/bundled-workers-alias.ts";
import { compiledSources } from "../support/compiled-sources.ts";
import { SlowFirst } from "../support/slow-first.ts";
import { filesOf } from "../support/slow-tests.ts";

export default defineConfig({
  resolve: { alias: [bundledWorkers] },
  plugins: [compiledSources()],
  test: {
    name: "browser",
    root: fileURLToPath(new URL("../..", import.meta.url)),
    ...filesOf("browser", { include: ["test/browser/**/*.test.ts"] }),
    globalSetup: [
      import.meta.resolve("./support/build-page.ts"),
      import.meta.resolve("./support/unpack-browser.ts"),
      "test/support/local-model.ts",
      "test/support/worker-bundles.ts",
    ],
    // Browser tests mostly wait: three workers take 83 % of the time of two, also on two cores.
    maxWorkers: 3,
    sequence: { sequencer: SlowFirst },
    // Imports the service once per worker instead of once per file.
    isolate: false,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 30_000 } },
  },
});
