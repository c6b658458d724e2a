import { setFlagsFromString } from "node:v8";

/** The compilers to machine code. Node 24 has a second optimizing one. */
const COMPILERS = [
  "sparkplug",
  "opt",
  ...(Number.parseInt(process.versions.node, 10) >= 24 ? ["maglev"] : []),
];

/**
 * Saves memory that V8 would use while modules load and then keep: most of this code runs once, so compiling it to machine
 * code is wasted, and most new objects stay, which V8 would answer by growing its young generation to 32 MB.
 */
export function saveMemoryAtStart(): void {
  setFlagsFromString("--semi-space-growth-factor=1");
  // Also after the start. V8 would allocate objects of a call directly in the old generation after a few minor collections
  // found most of them alive. Each then keeps all that it refers to until the next full collection.
  setFlagsFromString("--no-allocation-site-pretenuring");
  for (const compiler of COMPILERS) setFlagsFromString(`--no-${compiler}`);
}

/** The defaults of V8, for the work after the start, except for the memory that it keeps. */
export function endStart(): void {
  setFlagsFromString("--semi-space-growth-factor=2");
  // A full collection when the old generation has grown by half. V8 would let it grow fourfold, most of it garbage.
  setFlagsFromString("--heap-growing-percent=50");
  for (const compiler of COMPILERS) setFlagsFromString(`--${compiler}`);
}
