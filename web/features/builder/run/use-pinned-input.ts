import { useState } from "react";
import { localValues } from "../../../api/browser-storage.ts";

export interface PinnedInput {
  /** Undefined when none is pinned. */
  input: unknown;
  pin: (input: unknown) => void;
  unpin: () => void;
}

const keyOf = (workflowId: string): string => `baton.pinned-input.${workflowId}`;

/** The input of test runs of the draft, usually a sample of a trigger. Like pinned outputs it stays in this browser. */
export function usePinnedInput(workflowId: string): PinnedInput {
  const [input, setInput] = useState(() => localValues.readJson(keyOf(workflowId)));
  return {
    input,
    pin(next) {
      setInput(next);
      localValues.save(keyOf(workflowId), JSON.stringify(next));
    },
    unpin() {
      setInput(undefined);
      localValues.remove(keyOf(workflowId));
    },
  };
}
