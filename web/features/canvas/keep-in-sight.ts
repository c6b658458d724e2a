import { useReactFlow, useStore } from "@xyflow/react";
import { useEffect, useRef } from "react";
import type { Point } from "../../flow/draft.ts";
import { NODE_HEIGHT, NODE_WIDTH } from "../../flow/layout.ts";
import { isVisible, READABLE_ZOOM } from "../../flow/viewport.ts";

interface KeepInSightProps {
  stepId: string | undefined;
  positions: ReadonlyMap<string, Point>;
}

/** A step that is chosen elsewhere, with the keyboard or in a list, comes to the middle when it cannot be seen. */
export function KeepVisible({ stepId, positions }: KeepInSightProps): null {
  const flow = useReactFlow();
  // The canvas shrinks when a panel opens beside or below it, often because of this very choice.
  const width = useStore((store) => store.width);
  const height = useStore((store) => store.height);
  const places = useRef(positions);
  places.current = positions;
  useEffect(() => {
    const at = stepId === undefined ? undefined : places.current.get(stepId);
    const view = flow.getViewport();
    if (at === undefined || width === 0 || isVisible(at, view, { width, height })) return;
    void flow.setCenter(at.x + NODE_WIDTH / 2, at.y + NODE_HEIGHT / 2, {
      zoom: Math.max(view.zoom, READABLE_ZOOM),
    });
  }, [stepId, flow, width, height]);
  return null;
}
