import { createContext, type RefObject } from "react";
import type { StepScope } from "../../../flow/step-scope.ts";

const emptyScope: StepScope = {
  sources: [],
  titles: new Map(),
  insideLoop: false,
  variables: undefined,
  values: {},
};

/** The values that the fields of the open step can use. */
export const ScopeContext = createContext<StepScope>(emptyScope);

/** The field that had the focus last: a click on a value inserts it there. */
export interface ActiveField {
  insert: (path: string) => void;
}
export const ActiveFieldContext = createContext<RefObject<ActiveField | null>>({ current: null });

/** Marks a dragged value; its data is the path without braces. */
export const VALUE_MIME = "application/x-baton-value";
