import { unreadable } from "./unreadable.ts";

/** No program writes a tenth of it. The parser's time grows with the square of the depth. */
const MAX_DEPTH = 5000;

/** Counts open elements and refuses a file whose only purpose is to have many. */
export function createNesting(): { open(): void; close(): void } {
  let depth = 0;
  return {
    open() {
      depth += 1;
      if (depth > MAX_DEPTH) throw unreadable("its elements are nested too deeply");
    },
    close() {
      depth -= 1;
    },
  };
}
