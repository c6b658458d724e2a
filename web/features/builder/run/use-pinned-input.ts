import { useState } from "react";

export interface PinnedInput {
  /** Undefined when none is pinned. */
  input: unknown;
  pin: (input: unknown) => void;
  unpin: () => void;
}

const keyOf = (workflowId: string): string => `baton.pinned-input.${workflowId}`;

function read(workflowId: string): unknown {
  try {
    const stored = localStorage.getItem(keyOf(workflowId));
    return stored === null ? undefined : (JSON.parse(stored) as unknown);
  } catch {
    return undefined;
  }
}

/** The input of test runs of the draft, usually a sample of a trigger. Like pinned outputs it stays in this browser. */
export function usePinnedInput(workflowId: string): PinnedInput {
  const [input, setInput] = useState(() => read(workflowId));
  return {
    input,
    pin(next) {
      setInput(next);
      try {
        localStorage.setItem(keyOf(workflowId), JSON.stringify(next));
      } catch {
        // Storage is full: the pin lasts until the page is closed.
      }
    },
    unpin() {
      setInput(undefined);
      localStorage.removeItem(keyOf(workflowId));
    },
  };
}
