import { Panel, useReactFlow, useStore } from "@xyflow/react";
import { Maximize, Minus, Plus } from "lucide-react";
import type { ReactNode } from "react";

/** Fits everything into view, but never enlarges: three steps would fill the screen. */
export const FIT_OPTIONS = { padding: 0.15, maxZoom: 1 };

/** Zoom in the lower left corner: smaller, the current zoom, larger, and everything at once. */
export function ZoomControls({ children }: { children?: ReactNode }) {
  const flow = useReactFlow();
  const zoom = useStore(({ transform }) => transform[2]);
  return (
    <Panel position="bottom-left" className="zoom-controls">
      <button type="button" aria-label="Zoom Out" title="Zoom out" onClick={() => void flow.zoomOut()}>
        <Minus size={15} />
      </button>
      <span className="zoom-value">{Math.round(zoom * 100)} %</span>
      <button type="button" aria-label="Zoom In" title="Zoom in" onClick={() => void flow.zoomIn()}>
        <Plus size={15} />
      </button>
      <button
        type="button"
        aria-label="Fit View"
        title="Fit into view (F)"
        onClick={() => void flow.fitView(FIT_OPTIONS)}
      >
        <Maximize size={15} />
      </button>
      {children}
    </Panel>
  );
}
