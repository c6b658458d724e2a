import { fork } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { type Mutant, mutantsOf } from "./mutants.ts";
import type { Progress } from "./run-tests.ts";
import { targets } from "./targets.ts";
import { UsageError } from "../../scripts/usage-error.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
/** A mutant whose tests take this many times as long as those of the unchanged file never ends. */
const TIMES_SLOWER = 10;
const SHORTEST_LIMIT_MS = 30_000;

interface FileScore {
  file: string;
  /** Those that were tried. */
  mutants: number;
  survivors: Mutant[];
}

/**
 * `npm run test:mutation -- --subjects graph,journal --at-least 80`: changes one line at a time and runs the tests of the
 * file. Prints the share of changes that a test noticed, and each that none did. Exits with 1 when a subject scores less.
 */
export async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      subjects: { type: "string", default: Object.keys(targets).join(",") },
      /** Only files whose path contains this. */
      file: { type: "string", default: "" },
      /** Each so many-th change, for a quick estimate. */
      every: { type: "string", default: "1" },
      "at-least": { type: "string", default: "0" },
    },
  });
  for (const subject of values.subjects.split(",")) {
    const chosen = targets[subject];
    if (chosen === undefined)
      throw new UsageError(`no subject ${subject}: choose from ${Object.keys(targets).join(", ")}`);
    const scores: FileScore[] = [];
    for (const { files, tests } of chosen)
      for (const file of files.filter((path) => path.includes(values.file)))
        scores.push(await scoreOf(file, tests, Number(values.every)));
    print(subject, scores);
    if (percentOf(scores) < Number(values["at-least"])) process.exitCode = 1;
  }
}

async function scoreOf(file: string, tests: string[], every: number): Promise<FileScore> {
  const mutants = mutantsOf(file, readFileSync(join(root, file), "utf8"));
  const chosen = [...mutants.keys()].filter((index) => index % every === 0);
  const survivors: Mutant[] = [];
  for (let left = chosen; left.length > 0;) {
    const last = await runUntilHang(file, left, tests, (index) => survivors.push(mutants[index]!));
    left = left.filter((index) => index > last);
  }
  const score = { file, mutants: chosen.length, survivors };
  console.log(`${file}: ${percentOf([score])} % of ${chosen.length}`);
  for (const { line, description } of survivors) console.log(`  ${file}:${line} ${description}`);
  return score;
}

/** Resolves with the last mutant that was run: the last of all, or one whose tests never end. */
function runUntilHang(
  file: string,
  indexes: number[],
  tests: string[],
  onSurvivor: (index: number) => void,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const program = join(root, "test/mutation/run-tests.ts");
    const child = fork(program, [file, indexes.join(","), ...tests], { execArgv: ["--import", "tsx"] });
    let limitMs = SHORTEST_LIMIT_MS * TIMES_SLOWER;
    let began = performance.now();
    let timer: NodeJS.Timeout | undefined;
    let current = indexes[0]!;
    let failure: Error | undefined;
    child.on("message", (progress: Progress) => {
      clearTimeout(timer);
      if (progress.state === "started") {
        current = progress.index;
        began = performance.now();
        timer = setTimeout(() => child.kill("SIGKILL"), limitMs);
        return;
      }
      if (progress.index >= 0) {
        if (!progress.killed) onSurvivor(progress.index);
        return;
      }
      if (progress.killed) {
        failure = new Error(`the tests of ${file} fail without a change: ${tests.join(" ")}`);
        child.kill("SIGKILL");
      }
      limitMs = Math.max(SHORTEST_LIMIT_MS, (performance.now() - began) * TIMES_SLOWER);
    });
    child.on("close", (code, signal) => {
      clearTimeout(timer);
      if (failure !== undefined) reject(failure);
      else if (signal === "SIGKILL") resolve(current);
      else if (code === 0) resolve(Infinity);
      else reject(new Error(`the tests of ${file} could not be run, exit code ${code}`));
    });
  });
}

function print(subject: string, scores: readonly FileScore[]): void {
  const rows = scores.map(
    (score) =>
      `| \`${score.file}\` | ${score.mutants} | ${score.mutants - score.survivors.length} | ${percentOf([score])} % |`,
  );
  const mutants = scores.reduce((sum, score) => sum + score.mutants, 0);
  const survivors = scores.reduce((sum, score) => sum + score.survivors.length, 0);
  console.log(`
| ${subject} | changes | noticed | score |
|---|---|---|---|
${rows.join("\n")}
| all | ${mutants} | ${mutants - survivors} | ${percentOf(scores)} % |
`);
}

function percentOf(scores: readonly FileScore[]): number {
  const mutants = scores.reduce((sum, score) => sum + score.mutants, 0);
  const survivors = scores.reduce((sum, score) => sum + score.survivors.length, 0);
  return mutants === 0 ? 100 : Math.round(((mutants - survivors) / mutants) * 100);
}
