import "@xyflow/react/dist/style.css";
import "./canvas.css";
import { MiniMap, ReactFlow, type ReactFlowProps, SelectionMode } from "@xyflow/react";
import { Search } from "lucide-react";
import { type ComponentProps, useState } from "react";
import type { Point } from "../../flow/draft.ts";
import { modifier, useShortcuts } from "../../ui/shortcuts.ts";
import { toneOf } from "../../ui/status.tsx";
import { HideTinyText, KeepVisible, useInitialViewport } from "./canvas-viewport.ts";
import { DotGrid } from "./dot-grid.tsx";
import { FindStep } from "./find-step.tsx";
import { type CanvasNode, isStepNode } from "./canvas-node.ts";
import { LineEdge, type LineFlowEdge } from "./line-edge.tsx";
import { LoopNode } from "./loop-node.tsx";
import { NoteNode } from "./note-node.tsx";
import { StepNode } from "./step-node.tsx";
import { FIT_OPTIONS, ZoomControls } from "./zoom-controls.tsx";
import { TriggerNode } from "./trigger-node.tsx";

// Defined once: React Flow re-mounts every node and line when these objects change.
const nodeTypes = { step: StepNode, loop: LoopNode, trigger: TriggerNode, note: NoteNode };
const edgeTypes = { line: LineEdge };
/** Above this number of steps only visible nodes are rendered, without shadows, which take half of the frame time. */
const VIRTUALIZE_ABOVE = 100;
/** Fewer steps fit on one screen; with more, redrawing the minimap becomes noticeable. */
const MINIMAP_STEPS = { from: 16, to: 200 };

interface StepCanvasProps extends ReactFlowProps<CanvasNode, LineFlowEdge> {
  label: string;
  nodes: CanvasNode[];
  positions: ReadonlyMap<string, Point>;
  /** The selected step, which the canvas keeps visible wherever it was selected. */
  selected?: string | undefined;
  /** Without it steps cannot be selected, and the search is hidden. */
  onSelectStep?: ((stepId: string) => void) | undefined;
  /** The search, when a button outside of the canvas opens it too. */
  search?: { open: boolean; setOpen: (open: boolean) => void };
  /** Width at the right that a floating panel covers; a selected step is not left below it. */
  coveredRight?: number;
  sectionProps?: Omit<ComponentProps<"section">, "className">;
}

/** Common to all graphs of the page: initial viewport, step search, minimap and rendering of large graphs. */
export function StepCanvas(props: StepCanvasProps) {
  const {
    label,
    nodes,
    positions,
    selected,
    onSelectStep,
    search,
    coveredRight = 0,
    sectionProps,
    ...flow
  } = props;
  const stepCount = nodes.filter(isStepNode).length;
  const isLarge = stepCount > VIRTUALIZE_ABOVE;
  const hasMinimap = stepCount >= MINIMAP_STEPS.from && stepCount <= MINIMAP_STEPS.to;
  const [ref, view] = useInitialViewport(positions);
  const [ownOpen, setOwnOpen] = useState(false);
  const { open: isSearching, setOpen: setSearching } = search ?? { open: ownOpen, setOpen: setOwnOpen };
  useShortcuts(
    onSelectStep === undefined
      ? {}
      : {
          "mod+f": (event) => {
            event.preventDefault();
            setSearching(true);
          },
        },
  );
  return (
    <section {...sectionProps} ref={ref} className={isLarge ? "canvas large" : "canvas"} aria-label={label}>
      {view !== undefined && (
        <ReactFlow
          {...flow}
          nodes={nodes}
          nodeTypes={nodeTypes}
          edgeTypes={edgeTypes}
          defaultViewport={view}
          fitViewOptions={FIT_OPTIONS}
          minZoom={0.05}
          // The arrow keys of React Flow move nodes; in the builder they select the next step.
          disableKeyboardA11y
          selectionMode={SelectionMode.Partial}
          onlyRenderVisibleElements={isLarge}
          proOptions={{ hideAttribution: true }}
        >
          <HideTinyText />
          <KeepVisible stepId={selected} positions={positions} coveredRight={coveredRight} />
          <DotGrid />
          <ZoomControls>
            {onSelectStep !== undefined && search === undefined && (
              <button
                type="button"
                onClick={() => setSearching(true)}
                aria-label="Find step"
                title={`Find step (${modifier}F)`}
              >
                <Search size={15} />
              </button>
            )}
          </ZoomControls>
          {hasMinimap && (
            <MiniMap<CanvasNode>
              className="canvas-map"
              position="bottom-right"
              ariaLabel="Minimap"
              nodeClassName={(node) => (isStepNode(node) ? toneOf(node.data.status) : "")}
              pannable
              zoomable
            />
          )}
        </ReactFlow>
      )}
      {isSearching && onSelectStep !== undefined && (
        <FindStep
          nodes={nodes.filter(isStepNode)}
          onPick={onSelectStep}
          onClose={() => setSearching(false)}
        />
      )}
    </section>
  );
}
