import "@xyflow/react/dist/style.css";
import "./canvas.css";
import {
  Background,
  ControlButton,
  Controls,
  MiniMap,
  ReactFlow,
  type ReactFlowProps,
  SelectionMode,
} from "@xyflow/react";
import { Search } from "lucide-react";
import { type ComponentProps, useLayoutEffect, useRef, useState } from "react";
import type { Point } from "../../flow/draft.ts";
import { initialViewport, type View } from "../../flow/viewport.ts";
import { modifier, useShortcuts } from "../../ui/keys.ts";
import { toneOf } from "../../ui/status.tsx";
import { ZoomLevel } from "./far-view.ts";
import { FindStep } from "./find-step.tsx";
import { VIRTUALIZE_FROM } from "./flow-elements.ts";
import { KeepVisible } from "./keep-in-sight.ts";
import { type StepFlowNode, StepNode } from "./step-node.tsx";

const nodeTypes = { step: StepNode };
/** From here on a graph is larger than a screen; up to there its map costs nothing that is felt. */
const MINIMAP_STEPS = { from: 16, to: 200 };

interface StepCanvasProps extends ReactFlowProps<StepFlowNode> {
  label: string;
  nodes: StepFlowNode[];
  positions: ReadonlyMap<string, Point>;
  /** The chosen step: wherever it was chosen, it is brought into sight. */
  chosen?: string | undefined;
  /** Without it nothing can be chosen, and so nothing is looked for. */
  onChoose?: ((stepId: string) => void) | undefined;
  place?: Omit<ComponentProps<"section">, "className">;
}

/** What every graph on the page has in common: how it is opened, walked through, and seen from far away. */
export function StepCanvas({ label, nodes, positions, chosen, onChoose, place, ...flow }: StepCanvasProps) {
  const isLarge = nodes.length > VIRTUALIZE_FROM;
  const isMapped = nodes.length >= MINIMAP_STEPS.from && nodes.length <= MINIMAP_STEPS.to;
  const [ref, view] = useOpeningView(positions);
  const [finding, setFinding] = useState(false);
  useShortcuts(
    onChoose === undefined
      ? {}
      : {
          "mod+f": (event) => {
            event.preventDefault();
            setFinding(true);
          },
        },
  );
  return (
    <section {...place} ref={ref} className={isLarge ? "canvas many" : "canvas"} aria-label={label}>
      {view !== undefined && (
        <ReactFlow
          {...flow}
          nodes={nodes}
          nodeTypes={nodeTypes}
          defaultViewport={view}
          fitViewOptions={{ padding: 0.15, maxZoom: 1 }}
          minZoom={0.05}
          disableKeyboardA11y
          selectionMode={SelectionMode.Partial}
          onlyRenderVisibleElements={isLarge}
          proOptions={{ hideAttribution: true }}
        >
          <ZoomLevel />
          <KeepVisible stepId={chosen} positions={positions} />
          <Background gap={22} />
          <Controls showInteractive={false}>
            {onChoose !== undefined && (
              <ControlButton
                onClick={() => setFinding(true)}
                aria-label="Find step"
                title={`Find step (${modifier}F)`}
              >
                <Search />
              </ControlButton>
            )}
          </Controls>
          {isMapped && (
            <MiniMap<StepFlowNode>
              className="canvas-map"
              position="top-right"
              ariaLabel="Map of the graph"
              nodeClassName={({ data }) => toneOf(data.status)}
              pannable
              zoomable
            />
          )}
        </ReactFlow>
      )}
      {finding && onChoose !== undefined && (
        <FindStep nodes={nodes} onPick={onChoose} onClose={() => setFinding(false)} />
      )}
    </section>
  );
}

/** Decided once, before the first paint, so that nothing jumps. */
function useOpeningView(positions: ReadonlyMap<string, Point>) {
  const ref = useRef<HTMLElement>(null);
  const [view, setView] = useState<View>();
  const opening = useRef(positions);
  useLayoutEffect(() => {
    if (ref.current !== null)
      setView(
        initialViewport(opening.current, {
          width: ref.current.clientWidth,
          height: ref.current.clientHeight,
        }),
      );
  }, []);
  return [ref, view] as const;
}
