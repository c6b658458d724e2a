import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8";
// oxlint-disable-next-line no-restricted-imports
import { runInNewContext } from "node:vm";

/** A full collection, or a minor one, which frees young objects only. */
export function collectGarbage(type: "full" | "minor" = "full"): void {
  setFlagsFromString("--expose-gc");
  const gc = runInNewContext("gc") as (options?: { type: "minor" }) => void;
  if (type === "minor") gc({ type });
  else gc();
}

/** What survived minor collections since the last full one. */
export function oldBytes(): number {
  return getHeapSpaceStatistics().find((space) => space.space_name === "old_space")!.space_used_size;
}
