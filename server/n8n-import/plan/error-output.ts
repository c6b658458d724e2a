import type { Converted } from "../nodes/node-context.ts";
import type { SourceNode } from "../source/source.ts";

/** The output for items that failed; undefined when the node has none. */
export function errorOutputOf(
  { onError, kind }: SourceNode,
  converted: Converted | undefined,
): number | undefined {
  if (onError !== "error_output") return undefined;
  return converted?.branches === undefined ? 1 : kind === "if" ? 2 : undefined;
}
