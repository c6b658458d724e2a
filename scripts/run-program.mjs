// Runs a program and reports how it ended, also when a signal interrupts it.
import { spawn } from "node:child_process";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"];

/**
 * The program runs in its own process group. Ctrl-C in a terminal signals every process of the group, `kill` only one;
 * forwarding the signal to the new group delivers it exactly once to the program and its children. `interrupted` tells
 * the caller to start nothing more.
 */
export function runProgram(command, args, options) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { ...options, detached: true });
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding("utf8").on("data", (text) => (output += text));

    let stopped = false;
    const forward = (signal) => {
      if (!stopped && child.pid !== undefined) process.kill(-child.pid, signal);
      stopped = true;
    };
    const end = (status, interrupted) => {
      for (const signal of SIGNALS) process.off(signal, forward);
      resolve({ status, output, interrupted });
    };
    child.once("error", ({ message }) => {
      output += message;
      end(null, false);
    });
    // A program that handles the signal exits by itself, with 128 plus the number of the signal.
    child.once("close", (status, signal) => end(status, stopped || signal !== null || status > 128));
    for (const signal of SIGNALS) process.on(signal, forward);
  });
}
