import { parentPort, workerData } from "node:worker_threads";
import { messageOf } from "../lib/errors.ts";
import { createMachine, type Machine } from "./machine.ts";
import { runJob } from "./run-job.ts";
import type { SandboxJob, SandboxReply, SandboxResult, ThreadOptions } from "./sandbox-message.ts";

const { memoryMb } = workerData as ThreadOptions;
let ready = createMachine(memoryMb);
let lastOwner: string | undefined;

parentPort?.on("message", (job: SandboxJob) => void take(job));
await ready;
send({ type: "ready" });

async function take(job: SandboxJob): Promise<void> {
  const machine = await ready;
  if (lastOwner !== undefined && lastOwner !== job.ownerId) machine.erase();
  lastOwner = job.ownerId;
  const result = run(machine, job);
  send({ type: "done", result, logs: machine.logs.take() });
  // After the reply, so that the caller does not wait for it. Large memory is freed with its machine.
  if (!machine.reset()) ready = createMachine(memoryMb);
}

function run(machine: Machine, job: SandboxJob): SandboxResult {
  try {
    return runJob(machine, job);
  } catch (error) {
    // The engine itself failed, such as on a stack that is too deep for the thread. Its state is unknown.
    return { type: "failed", reason: "memory", message: messageOf(error), source: 0, broken: true };
  }
}

function send(reply: SandboxReply): void {
  parentPort?.postMessage(reply);
}
