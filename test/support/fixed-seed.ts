import { configureGlobal } from "fast-check";

/** Vitest's setup file: every run tests the same examples. `TEST_SEED=7 npx vitest run contract` tests others. */
configureGlobal({ seed: Number(process.env["TEST_SEED"] ?? 20_261_116) });
