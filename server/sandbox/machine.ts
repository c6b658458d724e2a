import releaseVariant from "@jitl/quickjs-wasmfile-release-sync";
import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSContext,
  type QuickJSHandle,
  type QuickJSRuntime,
  type QuickJSSyncVariant,
} from "quickjs-emscripten-core";
import { EXPOSE_LUXON, INTL, readLuxon } from "./dates.ts";
import { answerIntl } from "./host-intl.ts";
import { createLogBuffer, type LogBuffer } from "./log-buffer.ts";
import { PRELUDE } from "./prelude.ts";

/** Code below this depth of the stack fails with a RangeError of its own; deeper, the whole thread would fail. */
const STACK_BYTES = 256 * 1024;

const PAGES_PER_MB = 16;
/** What the engine asks for at least. */
const INITIAL_PAGES = 256;

// Not among the types of Node 20.
const { Memory } = (globalThis as unknown as { WebAssembly: { Memory: MemoryConstructor } }).WebAssembly;
type MemoryConstructor = new (pages: { initial: number; maximum: number }) => {
  readonly buffer: ArrayBuffer;
};

// The types of the package describe its CommonJS build.
const variant = releaseVariant as unknown as QuickJSSyncVariant;

/** One QuickJS engine in WebAssembly: code in it reaches its own memory and the functions of the prelude, nothing else. */
export interface Machine {
  runtime: QuickJSRuntime;
  context: QuickJSContext;
  /** Functions of the prelude. */
  define: QuickJSHandle;
  finish: QuickJSHandle;
  describe: QuickJSHandle;
  /** What the current call has written to the console. */
  logs: LogBuffer;
  /** `performance.now()` at which the current call is interrupted. */
  deadline: number;
  /** Adds Luxon and `Intl` to the state after the prelude. */
  addDates(): void;
  /** Back to the state after the prelude. False when the call has enlarged the memory: then a new machine is needed. */
  reset(): boolean;
  /** Overwrites what earlier calls left in memory that is not in use. */
  erase(): void;
}

/**
 * A context takes a millisecond to create. A machine creates one and copies its memory once; before each call the copy is
 * written back, so that nothing of the last call remains, not even a corrupted heap.
 */
export async function createMachine(memoryMb: number): Promise<Machine> {
  // The engine's own memory limit does not count sizes in WebAssembly; this one no code can exceed.
  const memory = new Memory({ initial: INITIAL_PAGES, maximum: memoryMb * PAGES_PER_MB });
  const module = await newQuickJSWASMModuleFromVariant(newVariant(variant, { wasmMemory: memory }));
  const runtime = module.newRuntime();
  runtime.setMaxStackSize(STACK_BYTES);
  const context = runtime.newContext();
  const machine: Partial<Machine> & { logs: LogBuffer; deadline: number } = {
    logs: createLogBuffer(),
    deadline: Number.POSITIVE_INFINITY,
  };
  runtime.setInterruptHandler(() => performance.now() > machine.deadline);

  const log = context.newFunction("log", (level, message) => {
    const isKept =
      level === undefined || message === undefined
        ? machine.logs.drop()
        : machine.logs.add(context.getString(level), context.getString(message));
    return isKept ? context.true : context.false;
  });
  const intl = context.newFunction("intl", (request) =>
    context.newString(answerIntl(request === undefined ? "" : context.getString(request))),
  );
  const random = context.newFunction("random", () => context.newNumber(Math.random()));
  const prelude = context.unwrapResult(context.evalCode(PRELUDE, "prelude"));
  const functions = context.unwrapResult(context.callFunction(prelude, context.undefined, log, random));
  const [define, finish, describe] = (["define", "finish", "describe"] as const).map((name) =>
    context.getProp(functions, name),
  ) as [QuickJSHandle, QuickJSHandle, QuickJSHandle];
  // Handles that the library creates on first use and keeps: they must exist in the copy.
  void context.global;

  const { byteLength } = memory.buffer;
  const image = copyOf(memory);
  let imageWithDates: Uint8Array | undefined;
  return Object.assign(machine, {
    runtime,
    context,
    define,
    finish,
    describe,
    addDates() {
      if (imageWithDates !== undefined) return new Uint8Array(memory.buffer).set(imageWithDates);
      const addIntl = context.unwrapResult(context.evalCode(INTL, "intl"));
      context.unwrapResult(context.callFunction(addIntl, context.undefined, intl));
      for (const script of [readLuxon(), EXPOSE_LUXON])
        context.unwrapResult(context.evalCode(script, "luxon"));
      imageWithDates = copyOf(memory);
    },
    reset() {
      if (memory.buffer.byteLength !== byteLength) return false;
      new Uint8Array(memory.buffer).set(image);
      return true;
    },
    erase: () => void new Uint8Array(memory.buffer).fill(0, image.length),
  });
}

/** The memory up to the last byte in use. */
function copyOf(memory: { readonly buffer: ArrayBuffer }): Uint8Array {
  const bytes = new Uint8Array(memory.buffer);
  let end = bytes.length;
  while (end > 0 && bytes[end - 1] === 0) end -= 1;
  return bytes.slice(0, end);
}
