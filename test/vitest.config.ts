import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import unit from "../vitest.config.ts";
import browser from "./browser/vitest.config.ts";
import postgres from "./postgres/vitest.config.ts";
import { SlowFirst } from "./support/slow-first.ts";

/** All tests in one run: while the last files of one project run, idle processes start the files of the next. */
export default defineConfig({
  test: {
    root: fileURLToPath(new URL("..", import.meta.url)),
    // As objects and not as paths: the cache then has one entry of a module for all projects instead of one for each.
    projects: [unit, postgres, browser],
    // In node_modules, by the content of the file and the configuration.
    experimental: { fsModuleCache: true },
    sequence: { sequencer: SlowFirst },
  },
});
