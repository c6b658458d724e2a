// `npm test`: runs the static checks and the tests but the slow ones; `--slow` runs those alone; `--fast` skips PostgreSQL
// and the browser too. With names of files it runs their tests and nothing else. The last line is `N passed, N failed`, and the exit code follows it. A signal ends the running check
// and starts no other.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createMemoryFolder } from "./memory-folder.mjs";
import { prepare, root } from "./prepare.mjs";
import { runProgram } from "./run-program.mjs";

await prepare({ dev: true });

const fast = process.argv.includes("--fast");
const slow = process.argv.includes("--slow");
const files = process.argv.slice(2).filter((argument) => !argument.startsWith("--"));
// Read by test/support/slow-tests.ts, which lists the slow ones.
if (files.length === 0) process.env.TEST_PART = slow ? "slow" : "quick";
process.env.TMPDIR ??= createMemoryFolder() ?? tmpdir();
const reports = mkdtempSync(join(tmpdir(), "baton-report-"));
const report = join(reports, "tests.json");
const bin = (name) => join(root, "node_modules", ".bin", name);

/** Each static check counts as one test; vitest counts its own. */
const checks = [
  ["formatting", bin("oxfmt"), ["--check", "."]],
  ["lint and import directions", bin("oxlint"), ["--type-aware", "--deny-warnings", "--quiet"]],
  ["types", bin("tsc"), ["-p", "."]],
  ["types of the page", bin("tsc"), ["-p", "web"]],
  ["unused code", bin("knip"), []],
];

const config = fast ? [] : ["--config", "test/vitest.config.ts"];
const phases = slow || files.length > 0 ? [runVitest] : [runChecks, runVitest];

const MOST_FILES_TO_REPEAT = 5;
let passed = 0;
let failed = 0;
/** Each with `file`, `title` and `message`. */
const failures = [];
const passedSecond = [];
for (const phase of phases) {
  if (!(await phase()).interrupted) continue;
  console.log("✗ interrupted");
  failed += 1;
  break;
}
rmSync(reports, { recursive: true, force: true });

printFailures();
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
  if (ended.status !== 0) failures.push({ file: "static check", title: name, message: ended.output });
  return ended;
}

/**
 * Files that fail run a second time, one after the other, so that a busy machine does not fail the whole run. What passed
 * only then is listed at the end: it is a test to mend. Many failed files are a broken change and run once.
 */
async function runVitest() {
  const first = await vitestOnce(files);
  if (first.interrupted) return first;
  passed += first.passed;
  const failedFiles = [...new Set(first.failures.map(({ file }) => file))];
  if (
    failedFiles.length === 0 ||
    failedFiles.length > MOST_FILES_TO_REPEAT ||
    failedFiles.includes(undefined)
  ) {
    failed += first.failures.length;
    failures.push(...first.failures);
    return first;
  }
  const count = failedFiles.length;
  console.log(`\nRunning ${count} failed ${count === 1 ? "file" : "files"} again, alone:`);
  const second = await vitestOnce(["--no-file-parallelism", ...failedFiles]);
  if (second.interrupted) return second;
  const stillFails = new Set(second.failures.map(nameOf));
  const recovered = first.failures.filter((failure) => !stillFails.has(nameOf(failure)));
  // A failure that only the second run has counts too.
  failed += second.failures.length;
  passed += recovered.length;
  failures.push(...second.failures);
  passedSecond.push(...recovered);
  return second;
}

async function vitestOnce(args) {
  rmSync(report, { force: true });
  const reporters = ["--reporter=default", "--reporter=./scripts/test-report.mjs"];
  const ended = await runProgram(bin("vitest"), ["run", ...config, ...reporters, ...args], {
    cwd: root,
    stdio: ["ignore", "inherit", "inherit"],
    env: { ...process.env, TEST_REPORT: report },
  });
  if (ended.interrupted) return ended;
  try {
    const tests = JSON.parse(readFileSync(report, "utf8"));
    if (ended.status !== 0 && tests.failures.length === 0)
      tests.failures.push({ title: "vitest", message: `exit code ${ended.status} without a failed test` });
    return { ...ended, ...tests };
  } catch {
    const message = `vitest wrote no report (exit code ${ended.status})`;
    return { ...ended, passed: 0, failures: [{ title: "vitest", message }] };
  }
}

function nameOf({ file, title }) {
  if (file === undefined) return title;
  return `${file} > ${title}`;
}

/** CI shows the end of the output: everything needed to find a failure is there. */
function printFailures() {
  for (const failure of failures) console.log(`\n✗ ${nameOf(failure)}\n${linesOf(failure, 20)}`);
  if (passedSecond.length > 0) console.log("\nFailed at first and passed alone:");
  for (const failure of passedSecond) console.log(`! ${nameOf(failure)}\n${linesOf(failure, 5)}`);
}

function linesOf({ message }, count) {
  return message
    .split("\n")
    .filter((line) => !line.includes("/node_modules/"))
    .slice(0, count)
    .map((line) => `    ${line}`)
    .join("\n");
}
