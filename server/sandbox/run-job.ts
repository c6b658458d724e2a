import type { QuickJSContext, QuickJSHandle } from "quickjs-emscripten-core";
import { namesDates } from "./dates.ts";
import type { Machine } from "./machine.ts";
import { FILE, type Position, type Program, programOf, SourceError } from "./program.ts";
import type { CodeFailure, SandboxJob, SandboxResult } from "./sandbox-message.ts";

const PENDING_JOBS_PER_TURN = 1000;

type Reason = Omit<CodeFailure, "type" | "source">;

/** Ends the job; thrown by the functions below. */
class Failed extends Error {
  readonly reason: Reason;

  constructor(reason: Reason) {
    super(reason.message);
    this.reason = reason;
  }
}

/** Runs one job in a machine that was reset. Another exception than a failure of the code means that the machine is broken. */
export function runJob(machine: Machine, job: SandboxJob): SandboxResult {
  if (job.kind !== "check" && namesDates(job.sources)) machine.addDates();
  machine.deadline = performance.now() + job.timeoutMs;
  let source = 0;
  try {
    if (job.kind !== "check") call(machine, undefined, machine.define, machine.context.newString(job.values));
    const results: string[] = [];
    let maxOutput = job.maxOutput;
    for (const text of job.sources) {
      const json = runProgram(machine, programOf(text, job), { kind: job.kind, maxOutput });
      results.push(json);
      maxOutput -= json.length;
      source += 1;
    }
    return { type: "result", json: job.kind === "code" ? (results[0] ?? "null") : `[${results.join(",")}]` };
  } catch (error) {
    if (error instanceof Failed) return { type: "failed", source, ...error.reason };
    if (error instanceof SourceError)
      return {
        type: "failed",
        source,
        reason: "error",
        message: `SyntaxError: ${error.message}`,
        ...error.position,
      };
    throw error;
  }
}

function runProgram(
  machine: Machine,
  program: Program,
  { kind, maxOutput }: Pick<SandboxJob, "kind" | "maxOutput">,
): string {
  const { context } = machine;
  const evaluated = unwrap(
    machine,
    program,
    context.evalCode(program.text, FILE, {
      type: program.type === "module" ? "module" : "global",
      strict: program.type === "expression",
      compileOnly: kind === "check",
    }),
  );
  if (kind === "check") return "null";
  const value = program.type === "expression" ? evaluated : settle(machine, program, evaluated);
  return finish(machine, program, value, maxOutput);
}

/** Calls the function or the default export of the module, and waits for the promise. */
function settle(machine: Machine, program: Program, evaluated: QuickJSHandle): QuickJSHandle {
  const { context } = machine;
  if (program.type === "function") return awaitPromise(machine, program, call(machine, program, evaluated));
  const exported = context.getProp(awaitPromise(machine, program, evaluated), "default");
  if (context.typeof(exported) !== "function") return exported;
  return awaitPromise(machine, program, call(machine, program, exported, context.global));
}

function awaitPromise(machine: Machine, program: Program, promise: QuickJSHandle): QuickJSHandle {
  const { context, runtime } = machine;
  for (;;) {
    const ran = runtime.executePendingJobs(PENDING_JOBS_PER_TURN);
    if (performance.now() > machine.deadline) throw timeOver();
    // Only an interrupt or a lack of memory ends the jobs with their own error.
    if (ran.error !== undefined) throw new Failed(describe(machine, program, ran.error));
    if (ran.value < PENDING_JOBS_PER_TURN) break;
  }
  const state = context.getPromiseState(promise);
  if (state.type === "fulfilled") return state.value;
  if (state.type === "rejected") throw new Failed(describe(machine, program, state.error));
  throw new Failed({
    reason: "error",
    message:
      "The code waits for a promise that never settles. There are no timers and no network in the sandbox",
  });
}

function finish(machine: Machine, program: Program, value: QuickJSHandle, maxOutput: number): string {
  const { context } = machine;
  const finished = call(machine, program, machine.finish, value, context.newNumber(maxOutput));
  if (context.typeof(finished) === "number")
    throw new Failed({
      reason: "output",
      message: `The result has ${context.getNumber(finished)} characters`,
    });
  return context.getString(finished);
}

function call(
  machine: Machine,
  program: Program | undefined,
  fn: QuickJSHandle,
  ...values: QuickJSHandle[]
): QuickJSHandle {
  const { context } = machine;
  return unwrap(machine, program, context.callFunction(fn, context.undefined, ...values));
}

function unwrap(
  machine: Machine,
  program: Program | undefined,
  result: ReturnType<QuickJSContext["evalCode"]>,
): QuickJSHandle {
  if (performance.now() > machine.deadline) throw timeOver();
  if (result.error === undefined) return result.value;
  throw new Failed(describe(machine, program, result.error));
}

function timeOver(): Failed {
  return new Failed({ reason: "time", message: "The time is over" });
}

/** The text that the code threw. All of it is under the control of the code, and only shown. */
function describe(machine: Machine, program: Program | undefined, thrown: QuickJSHandle): Reason {
  const { context } = machine;
  const described = context.callFunction(machine.describe, context.undefined, thrown);
  if (performance.now() > machine.deadline) return timeOver().reason;
  const outOfMemory: Reason = { reason: "memory", message: "The memory is full" };
  // No memory is left to describe the error, or not even to create it.
  if (described.error !== undefined) return outOfMemory;
  const [name = "", message = "", stack = ""] = JSON.parse(context.getString(described.value)) as string[];
  if (name === "InternalError" && message === "out of memory") return outOfMemory;
  return {
    reason: "error",
    message: name === "" || message.startsWith(name) ? message : `${name}: ${message}`,
    ...positionIn(stack, program),
  };
}

const POSITION = new RegExp(`\\b${FILE}:(\\d{1,9}):(\\d{1,9})`);

function positionIn(stack: string, program: Program | undefined): Position | undefined {
  const found = POSITION.exec(stack);
  return found === null ? undefined : program?.locate(Number(found[1]), Number(found[2]));
}
