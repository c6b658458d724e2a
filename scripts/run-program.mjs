// Runs one program to its end and tells how it ended, also when somebody wants everything to stop meanwhile.
import { spawn } from "node:child_process";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"];

/**
 * The program leads a group of its own, so that a signal reaches it once, by us, with all that it has started: Ctrl-C
 * in a terminal goes to everybody, `kill` to one process alone. `interrupted` says that nothing more should begin.
 */
export function runProgram(command, args, options) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { ...options, detached: true });
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding("utf8").on("data", (text) => (output += text));

    let stopped = false;
    const passOn = (signal) => {
      if (!stopped && child.pid !== undefined) process.kill(-child.pid, signal);
      stopped = true;
    };
    const end = (status, interrupted) => {
      for (const signal of SIGNALS) process.off(signal, passOn);
      resolve({ status, output, interrupted });
    };
    child.once("error", ({ message }) => {
      output += message;
      end(null, false);
    });
    // Whoever cleans up behind a signal ends by himself, with 128 and the signal's number.
    child.once("close", (status, signal) => end(status, stopped || signal !== null || status > 128));
    for (const signal of SIGNALS) process.on(signal, passOn);
  });
}
