import { availableParallelism, freemem, totalmem } from "node:os";
import { getHeapStatistics } from "node:v8";
import { ok, type Outcome, problem, warn } from "./finding.ts";

const MIB = 1024 * 1024;
const NEEDED_MIB = 256;
const ENOUGH_MIB = 1024;

export function checkNode(version = process.versions.node): Outcome {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return ok(`Node ${version}`);
  return problem(`Node ${version} is too old.`, "Install Node 20.19 or newer.");
}

export interface Memory {
  total: number;
  free: number;
  /** The memory limit of a container, in bytes. */
  limit: number | undefined;
  heap: number;
}

function memoryOfProcess(): Memory {
  const total = totalmem();
  const limit = process.constrainedMemory();
  const isLimited = limit > 0 && limit < total;
  return {
    total,
    free: freemem(),
    limit: isLimited ? limit : undefined,
    heap: getHeapStatistics().heap_size_limit,
  };
}

/** A limit of a container kills the process without a message, so it is checked before. */
export function checkMemory({ total, free, limit, heap }: Memory = memoryOfProcess()): Outcome {
  const usable = Math.round((limit ?? total) / MIB);
  const whose = limit === undefined ? "memory" : "memory (limit of the container)";
  const message = `${usable} MB ${whose}, ${Math.round(free / MIB)} MB of the machine free, JavaScript heap up to ${Math.round(heap / MIB)} MB, ${availableParallelism()} cores`;
  const action = "Give Baton 1 GB, or 2 GB if it ingests documents (docs/operate/deploy.md#sizing).";
  if (usable < NEEDED_MIB) return problem(message, action);
  if (usable < ENOUGH_MIB) return warn(message, action);
  if (heap / MIB > usable)
    return warn(message, `Start with NODE_OPTIONS=--max-old-space-size=${Math.round(usable * 0.75)}.`);
  return ok(message);
}
