import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createVitest, type Vitest } from "vitest/node";
import { bundledWorkers } from "../support/bundled-workers-alias.ts";
import { type Mutant, mutantsOf } from "./mutants.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Sent to the parent: before each mutant and after it. `index` is -1 for the unchanged file. */
export type Progress = { index: number } & ({ state: "started" } | { state: "ended"; killed: boolean });

/** A separate process: the parent kills it when a mutant never ends. `node run-tests.ts file 0,4,8 test…`: which mutants. */
const [file = "", indexes = "", ...tests] = process.argv.slice(2);
const source = readFileSync(join(root, file), "utf8");
let active: Mutant | undefined;

const vitest = await createVitest(
  "test",
  {
    root,
    config: false,
    watch: false,
    include: ["{contract,server}/**/*.test.ts"],
    setupFiles: ["test/support/fixed-seed.ts"],
    pool: "threads",
    maxWorkers: 1,
    isolate: false,
    bail: 1,
    testTimeout: 120_000,
    reporters: [{}],
    dangerouslyIgnoreUnhandledErrors: true,
  },
  {
    resolve: { alias: [bundledWorkers] },
    plugins: [
      {
        name: "mutant",
        enforce: "pre",
        transform: (code, id) =>
          id === join(root, file) && active !== undefined ? apply(code, active) : undefined,
      },
    ],
  },
);

const mutants = mutantsOf(file, source);
for (const index of [-1, ...indexes.split(",").map(Number)]) {
  active = mutants[index];
  report({ index, state: "started" });
  report({ index, state: "ended", killed: await fails(vitest) });
}
await vitest.close();
process.exit(0);

async function fails(runner: Vitest): Promise<boolean> {
  runner.invalidateFile(join(root, file));
  const { testModules, unhandledErrors } = await runner.runTestSpecifications(
    await runner.globTestSpecifications(tests),
    true,
  );
  if (testModules.length === 0) throw new Error(`no tests match ${tests.join(" ")}`);
  return unhandledErrors.length > 0 || testModules.some((module) => !module.ok());
}

function apply(code: string, { start, end, replacement }: Mutant): string {
  return code.slice(0, start) + replacement + code.slice(end);
}

function report(progress: Progress): void {
  process.send?.(progress);
}
