import { useStore } from "@xyflow/react";
import { useEffect } from "react";

/** Below this nobody can read what stands in a step. */
const READABLE_ZOOM = 0.35;

/** Marks the canvas while it is seen from far away: half of the cost of a frame are letters that nobody can read. */
export function ZoomLevel(): null {
  const isFar = useStore(({ transform }) => transform[2] < READABLE_ZOOM);
  const element = useStore(({ domNode }) => domNode);
  useEffect(() => {
    element?.classList.toggle("far", isFar);
  }, [element, isFar]);
  return null;
}
