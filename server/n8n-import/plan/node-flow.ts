/** How items go through a node. */
export interface NodeFlow {
  /** `item`: once for each. `all`: once for all items. `through`: hands on what arrives. */
  takes: "item" | "all" | "through";
  gives: "one" | "list";
  /** What arrives goes on, such as through a condition. */
  passes: boolean;
  isLoop: boolean;
}

/** Of a node without a counterpart. */
export const UNKNOWN_FLOW: NodeFlow = { takes: "item", gives: "one", passes: false, isLoop: false };
