import { useStore } from "@xyflow/react";

const GAP = 22;
/** Closer dots are a grey surface. */
const MIN_GAP_ON_SCREEN = 14;

/**
 * The dots behind the steps. Panning moves a layer that is painted once, by less than one gap, so that the grid looks
 * endless. React Flow's own background paints the whole canvas in every frame.
 */
export function DotGrid() {
  const [x, y, zoom] = useStore(({ transform }) => transform);
  let gap = GAP * zoom;
  while (gap < MIN_GAP_ON_SCREEN) gap *= 2;
  const style = {
    inset: -gap,
    backgroundSize: `${gap}px ${gap}px`,
    transform: `translate(${x % gap}px, ${y % gap}px)`,
  };
  return <div className="dot-grid" style={style} aria-hidden="true" />;
}
