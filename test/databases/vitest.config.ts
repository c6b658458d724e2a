import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

/** Tests against real database servers, whose addresses run.ts passes on. */
export default defineConfig({
  test: {
    root: fileURLToPath(new URL("../..", import.meta.url)),
    include: ["test/databases/*.real.ts"],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 8000 } },
  },
});
