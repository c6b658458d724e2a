/** How the collector sees the process. */
export interface HeapView {
  /** The share of the time since the last call in which the event loop was busy, 0 to 1. */
  busyShare(): number;
  /** Memory that V8 holds for the heap. */
  heldBytes(): number;
  /** Of it, the memory of objects, also of unreachable ones. */
  usedBytes(): number;
  collect(): void;
}

const MAX_BUSY_SHARE = 0.05;
/** Less is not worth the CPU time of two full collections, about 0.25 s. */
const MIN_GROWTH_BYTES = 16 * 1024 * 1024;
/** A full collection stops the process for about 1 ms per megabyte. */
const MAX_USED_BYTES = 256 * 1024 * 1024;

/**
 * Returns memory of past load to the system. V8 collects the old generation only when it is full, so an idle process would
 * keep all of it. The first collection frees the objects. The second one, a check later, finds a process that allocates
 * little: only then V8 compacts its pages and shrinks the young generation. Returns the check, to be called regularly.
 */
export function createIdleCollector({ busyShare, heldBytes, usedBytes, collect }: HeapView): () => void {
  /** After the last collection. Nothing at first: the start leaves garbage, too. */
  let settledBytes = 0;
  let isHalfDone = false;
  return () => {
    const isIdle = busyShare() <= MAX_BUSY_SHARE;
    settledBytes = Math.min(settledBytes, heldBytes());
    const hasGrown = heldBytes() - settledBytes >= MIN_GROWTH_BYTES;
    if (!isIdle || !(isHalfDone || hasGrown) || usedBytes() > MAX_USED_BYTES) return;
    collect();
    settledBytes = heldBytes();
    isHalfDone = !isHalfDone;
  };
}
