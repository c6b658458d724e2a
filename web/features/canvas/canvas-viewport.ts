import { useReactFlow, useStore } from "@xyflow/react";
import { useEffect, useLayoutEffect, useRef, useState } from "react";
import type { Point } from "../../flow/draft.ts";
import { NODE_HEIGHT, NODE_WIDTH } from "../../flow/layout.ts";
import { initialViewport, isVisible, READABLE_ZOOM, type View } from "../../flow/viewport.ts";

/** Below this zoom the text of a step is a few pixels high and cannot be read. */
export const TEXT_MIN_ZOOM = 0.35;

/** On a phone the panel covers the canvas from below, up to this share of its height, as in builder.css. */
const SHEET_SHARE = 0.56;

/** Hides the text of steps while zoomed out. Painting it takes half of the frame time, and it is unreadable there. */
export function HideTinyText(): null {
  const isTiny = useStore(({ transform }) => transform[2] < TEXT_MIN_ZOOM);
  const element = useStore(({ domNode }) => domNode);
  useEffect(() => {
    element?.classList.toggle("tiny-text", isTiny);
  }, [element, isTiny]);
  return null;
}

interface KeepVisibleProps {
  stepId: string | undefined;
  positions: ReadonlyMap<string, Point>;
  coveredRight: number;
}

/** Centers the selected step when it is outside the canvas, for example after a selection by keyboard or in a list. */
export function KeepVisible({ stepId, positions, coveredRight }: KeepVisibleProps): null {
  const flow = useReactFlow();
  // Selecting a step can open a panel that shrinks the canvas; the step is checked again after that.
  const fullWidth = useStore((store) => store.width);
  const fullHeight = useStore((store) => store.height);
  // A ref, not a dependency: the canvas must not follow a step while the user drags it out of view.
  const latestPositions = useRef(positions);
  latestPositions.current = positions;
  useEffect(() => {
    const isSheet = coveredRight > 0 && matchMedia("(max-width: 700px)").matches;
    // Half a step more: its lower half must not be under the sheet either.
    const below = isSheet ? fullHeight * SHEET_SHARE + NODE_HEIGHT / 2 : 0;
    const right = !isSheet && coveredRight < fullWidth / 2 ? coveredRight : 0;
    const [width, height] = [fullWidth - right, fullHeight - below];
    const at = stepId === undefined ? undefined : latestPositions.current.get(stepId);
    const view = flow.getViewport();
    if (at === undefined || width === 0 || isVisible(at, view, { width, height })) return;
    const zoom = Math.max(view.zoom, READABLE_ZOOM);
    const [x, y] = [at.x + NODE_WIDTH / 2, at.y + NODE_HEIGHT / 2];
    void flow.setCenter(x + right / 2 / zoom, y + below / 2 / zoom, { zoom });
  }, [stepId, flow, fullWidth, fullHeight, coveredRight]);
  return null;
}

/** The first viewport, computed once from the size of the element before the first paint, so that nothing jumps. */
export function useInitialViewport(positions: ReadonlyMap<string, Point>) {
  const ref = useRef<HTMLElement>(null);
  const [view, setView] = useState<View>();
  const initialPositions = useRef(positions);
  useLayoutEffect(() => {
    if (ref.current !== null)
      setView(
        initialViewport(initialPositions.current, {
          width: ref.current.clientWidth,
          height: ref.current.clientHeight,
        }),
      );
  }, []);
  return [ref, view] as const;
}
