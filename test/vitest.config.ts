import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { SlowFirst } from "./support/slow-first.ts";

/** All tests in one run: while the last files of one project run, idle processes start the files of the next. */
export default defineConfig({
  test: {
    root: fileURLToPath(new URL("..", import.meta.url)),
    projects: ["vitest.config.ts", "test/postgres/vitest.config.ts", "test/browser/vitest.config.ts"],
    sequence: { sequencer: SlowFirst },
  },
});
