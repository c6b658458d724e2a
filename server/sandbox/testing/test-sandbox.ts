import { createFairQueue } from "../../lib/fair-queue.ts";
import { createSandbox, type Sandbox, type SandboxDeps } from "../sandbox.ts";

/** At most two threads, of which one owner uses one. */
export function createTestSandbox({
  limits,
  ...deps
}: Partial<Omit<SandboxDeps, "limits">> & { limits?: Partial<SandboxDeps["limits"]> } = {}): Sandbox {
  const queue = createFairQueue({ slots: 2, slotsPerKey: 1, refuse: () => new Error("The queue is full.") });
  return createSandbox({
    queue,
    ...deps,
    limits: { timeoutMs: 5000, memoryMb: 64, maxOutput: 1_000_000, ...limits },
  });
}
