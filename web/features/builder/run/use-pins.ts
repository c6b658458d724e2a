import { useCallback, useState } from "react";
import { localValues } from "../../../api/browser-storage.ts";
import type { Pins } from "../../../flow/known-results.ts";

export interface Pinning {
  pins: Pins;
  pin: (stepId: string, output: unknown) => void;
  unpin: (stepId: string) => void;
  rename: (from: string, to: string) => void;
}

const keyOf = (workflowId: string): string => `baton.pins.${workflowId}`;

function read(workflowId: string): Pins {
  return new Map(Object.entries(localValues.readJson(keyOf(workflowId)) ?? {}));
}

/** Pinned outputs. They are test data, not part of the workflow, and stay in this browser. */
export function usePins(workflowId: string): Pinning {
  const [pins, setPins] = useState(() => read(workflowId));
  const change = useCallback(
    (edit: (pins: Map<string, unknown>) => void) =>
      setPins((before) => {
        const next = new Map(before);
        edit(next);
        localValues.save(keyOf(workflowId), JSON.stringify(Object.fromEntries(next)));
        return next;
      }),
    [workflowId],
  );
  return {
    pins,
    pin: (stepId, output) => change((next) => next.set(stepId, output)),
    unpin: (stepId) => change((next) => next.delete(stepId)),
    rename: (from, to) =>
      change((next) => {
        if (!next.has(from)) return;
        next.set(to, next.get(from));
        next.delete(from);
      }),
  };
}
