// `npm test`: runs every check; `--fast` skips those that take minutes. The last line is `N passed, N failed`, and the
// exit code follows it. A signal ends the running check and starts no other.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { prepare, root } from "./prepare.mjs";
import { runProgram } from "./run-program.mjs";

await prepare();

const fast = process.argv.includes("--fast");
const reports = mkdtempSync(join(tmpdir(), "baton-report-"));
const report = join(reports, "vitest.json");
const bin = (name) => join(root, "node_modules", ".bin", name);

/** Each static check counts as one test; vitest counts its own. */
const checks = [
  ["formatting", bin("oxfmt"), ["--check", "."]],
  ["lint and import directions", bin("oxlint"), ["--type-aware", "--deny-warnings", "--quiet"]],
  ["types", bin("tsc"), ["-p", "."]],
  ["types of the page", bin("tsc"), ["-p", "web"]],
  ["unused code", bin("knip"), []],
];

/** These take minutes: real crashes, real documents. */
const slow = [
  "test/chaos/**",
  "test/documents/**",
  "server/engine/tests/faults.test.ts",
  "test/operations/**",
  "test/fuzz/**",
  "test/processes/**",
  "test/teams/crash.test.ts",
  "server/documents/**",
];

const phases = [runChecks, () => runVitest(fast ? slow.flatMap((files) => ["--exclude", files]) : [])];
if (!fast)
  phases.push(
    // The same service on PostgreSQL instead of SQLite.
    () => runVitest(["--config", "test/postgres/vitest.config.ts"]),
    // Browser tests run alone, because they need both cores.
    () => runVitest(["--config", "test/browser/vitest.config.ts"]),
  );

let passed = 0;
let failed = 0;
for (const phase of phases) {
  if (!(await phase()).interrupted) continue;
  console.log("✗ interrupted");
  failed += 1;
  break;
}
rmSync(reports, { recursive: true, force: true });

console.log(`\n${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);

/** At the same time: some use both cores, some one. */
async function runChecks() {
  const ended = await Promise.all(checks.map((check) => runCheck(...check)));
  return { interrupted: ended.some(({ interrupted }) => interrupted) };
}

async function runCheck(name, command, args) {
  const ended = await runProgram(command, args, { cwd: root });
  if (ended.interrupted) return ended;
  if (ended.status === 0) passed += 1;
  else failed += 1;
  console.log(`${ended.status === 0 ? "✓" : "✗"} ${name}`);
  if (ended.status !== 0) console.log(ended.output);
  return ended;
}

async function runVitest(args) {
  rmSync(report, { force: true });
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  const stdio = ["ignore", "inherit", "inherit"];
  const ended = await runProgram(bin("vitest"), ["run", ...reporters, ...args], { cwd: root, stdio });
  if (ended.interrupted) return ended;
  try {
    const { numPassedTests, numTotalTests, success, testResults } = JSON.parse(readFileSync(report, "utf8"));
    // A file that fails to load reports no tests; it counts as one failure.
    const brokenFiles = testResults.filter(
      (file) => file.status === "failed" && file.assertionResults.length === 0,
    ).length;
    const unsuccessful = numTotalTests - numPassedTests + brokenFiles;
    passed += numPassedTests;
    failed += success ? unsuccessful : Math.max(unsuccessful, 1);
  } catch {
    failed += 1;
  }
  return ended;
}
