import type { PickableValue } from "../../../flow/values.ts";

/** Asks the person for a value; `inside` is what can be used here beside what the whole step can use. */
export type PickValue = (insert: (placeholder: string) => void, inside?: readonly PickableValue[]) => void;
