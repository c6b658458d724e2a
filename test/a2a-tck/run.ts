import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { exceptionOf } from "./exceptions.ts";
import { readResults, type TestResult } from "./junit.ts";
import { startRootProxy } from "./root-proxy.ts";
import { startSystemUnderTest, type TestedAgent } from "./system-under-test.ts";
import { UsageError } from "../../scripts/usage-error.mjs";

const FOLDERS = {
  mandatory: "tests/mandatory",
  capabilities: "tests/optional/capabilities",
  equivalence: "tests/optional/multi_transport",
  quality: "tests/optional/quality",
  features: "tests/optional/features",
};

/**
 * `npm run conformance:a2a -- <checkout of a2aproject/a2a-tck>`: runs the TCK against a workflow and a team, over both
 * bindings. Needs Python with pytest, pytest-asyncio, httpx, grpcio, requests, responses, jsonschema and aiohttp
 * (`--python` names the program). `--agent`, `--binding` and `--tests` narrow the run down. Exits with 1 when a test fails
 * that is not listed in exceptions.ts.
 */
export async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      python: { type: "string", default: "python3" },
      agent: { type: "string" },
      binding: { type: "string" },
      tests: { type: "string" },
    },
  });
  const [checkout] = positionals;
  if (checkout === undefined) throw new UsageError("Name the folder of a checkout of a2aproject/a2a-tck.");
  const system = await startSystemUnderTest();
  let unexpected = 0;
  try {
    for (const agent of system.agents.filter(({ kind }) => kind === (values.agent ?? kind)))
      for (const binding of ["jsonrpc", "rest"].filter((name) => name === (values.binding ?? name))) {
        const results = await runTests(resolve(checkout), agent, binding, values.python, values.tests);
        unexpected += report(agent, binding, results);
      }
  } finally {
    await system.close();
  }
  if (unexpected > 0) process.exitCode = 1;
}

async function runTests(
  checkout: string,
  { url, headers }: TestedAgent,
  binding: string,
  python: string,
  tests: string | undefined,
): Promise<TestResult[]> {
  // The TCK sends no version; 1.0 reads that as 0.3.
  const proxy = await startRootProxy(url, { "a2a-version": "1.0" });
  const folder = mkdtempSync(join(tmpdir(), "baton-tck-report-"));
  const file = join(folder, "report.xml");
  try {
    const child = spawn(
      python,
      [
        "-m",
        "pytest",
        ...(tests === undefined ? Object.values(FOLDERS) : [tests]),
        `--sut-url=${proxy.address}`,
        "--test-scope=all",
        `--transport-strategy=prefer_${binding}`,
        `--junitxml=${file}`,
        "-q",
        "-p",
        "no:cacheprovider",
      ],
      {
        cwd: checkout,
        env: {
          ...process.env,
          PYTHONPATH: ".",
          PYTHONDONTWRITEBYTECODE: "1",
          TCK_STREAMING_TIMEOUT: "3",
          A2A_AUTH_HEADERS: JSON.stringify(headers),
        },
        stdio: ["ignore", "ignore", "inherit"],
      },
    );
    await new Promise((done) => child.once("close", done));
    return readResults(readFileSync(file, "utf8"));
  } finally {
    proxy.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Prints the table of one run; returns how many failures are not listed. */
function report({ kind }: TestedAgent, binding: string, results: readonly TestResult[]): number {
  console.log(`\n${kind}, ${binding}`);
  for (const [category, folder] of Object.entries(FOLDERS)) {
    const ofCategory = results.filter(({ file }) => file.startsWith(folder));
    const count = (outcome: TestResult["outcome"]) =>
      ofCategory.filter((result) => result.outcome === outcome).length;
    console.log(
      `  ${category.padEnd(14)} ${count("passed")} passed, ${count("failed")} failed, ${count("skipped")} skipped`,
    );
  }
  let unexpected = 0;
  for (const { name, file, outcome, message } of results) {
    if (outcome !== "failed") continue;
    const exception = exceptionOf(name, kind, binding);
    if (exception === undefined) unexpected += 1;
    console.log(`  ${exception === undefined ? "FAILED" : "listed"} ${file} ${name}`);
    console.log(`         ${exception ?? message.slice(0, 300)}`);
  }
  return unexpected;
}
