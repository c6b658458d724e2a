import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["{contract,server,test}/**/*.test.ts"],
    // Every test file opens its own data folder, so files may run side by side; real fsync and scrypt
    // on a shared machine need more patience than vitest's five seconds.
    testTimeout: 30_000,
    hookTimeout: 30_000,
    coverage: {
      provider: "v8",
      include: ["contract/**/*.ts", "server/**/*.ts"],
      exclude: ["**/*.test.ts"],
    },
  },
});
