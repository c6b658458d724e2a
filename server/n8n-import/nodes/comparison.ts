/** A comparison of n8n, of any version of its nodes. */
export interface Comparison {
  left: unknown;
  right: unknown;
  type: string;
  operation: string;
  field: string;
}

export interface Comparisons {
  match: "all" | "any";
  list: Comparison[];
  /** Version 1 compares without converting: a missing number is 0. */
  isOlder: boolean;
  ignoresCase?: boolean;
  /** "Convert types where required". */
  isLoose?: boolean;
  /** The text "false" is true, as in the first version of the conditions. */
  isFalseTextTrue?: boolean;
}
