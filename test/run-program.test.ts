import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";

const module = new URL("../scripts/run-program.mjs", import.meta.url).href;

/** Runs programs in turn as `npm test` does, and prints how each ended. */
function runInTurn(...programs: string[]) {
  const script = `import { runProgram } from "${module}";
    for (const program of ${JSON.stringify(programs)}) {
      const ended = await runProgram(process.execPath, ["-e", program], { stdio: ["ignore", "inherit", "inherit"] });
      console.log(JSON.stringify(ended));
      if (ended.interrupted) process.exit(1);
    }`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", script]);
  onTestFinished(() => void child.kill("SIGKILL"));
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const ended = once(child, "close").then(([code]) => ({ code: code as number | null, output }));
  return { child, output: () => output, ended };
}

test("wrong arguments of a program are one sentence, without a stack trace", async () => {
  const run = new URL("../scripts/run.mjs", import.meta.url).pathname;
  for (const [program, args, message] of [
    ["bench/stats/run.ts", ["--rowz", "5"], "Unknown option '--rowz'"],
    ["test/openapi-apps/run.ts", [], "Usage: npm run test:openapi-apps"],
  ] as const) {
    const child = spawn(process.execPath, [run, program, ...args]);
    onTestFinished(() => void child.kill("SIGKILL"));
    const [printed, [code]] = await Promise.all([text(child.stderr), once(child, "close")]);
    expect(printed).toContain(message);
    expect(printed).not.toMatch(/\n\s+at /);
    expect(code).toBe(2);
  }
});

const next = "console.log('next')";

test("the next program runs whether the previous one failed or not", async () => {
  const { code, output } = await runInTurn("process.exit(3)", next).ended;
  expect(output.trim().split("\n")).toEqual([
    '{"status":3,"output":"","interrupted":false}',
    "next",
    '{"status":0,"output":"","interrupted":false}',
  ]);
  expect(code).toBe(0);
});

test("no program starts after one that was killed or exited by a signal", async () => {
  for (const program of ["process.kill(process.pid, 'SIGKILL')", "process.exit(143)"]) {
    const { code, output } = await runInTurn(program, next).ended;
    expect(output).toContain('"interrupted":true');
    expect(output).not.toContain("next");
    expect(code).toBe(1);
  }
});

test.each(["SIGINT", "SIGTERM"] as const)(
  "%s ends the running program with its children, and no other starts",
  async (signal) => {
    // The program does not forward the signal to its child.
    const parent = `const { spawn } = require("node:child_process");
      process.on("${signal}", () => {});
      const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1e6); console.log('running')"], { stdio: "inherit" });
      child.on("exit", (_code, signal) => { console.log("child ended by " + signal); process.exit(0); });`;
    const running = runInTurn(parent, next);
    await expect.poll(running.output).toContain("running");
    running.child.kill(signal);
    const { code, output } = await running.ended;
    expect(output).toContain(`child ended by ${signal}`);
    expect(output).toContain('"interrupted":true');
    expect(output).not.toContain("next");
    expect(code).toBe(1);
  },
);
