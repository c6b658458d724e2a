import "@xyflow/react/dist/style.css";
import "./canvas.css";
import { Background, Controls, ReactFlow, ReactFlowProvider } from "@xyflow/react";
import { useMemo, useRef } from "react";
import type { Graph } from "../../../contract/graph.ts";
import { positionsOf } from "../../flow/layout.ts";
import { FarView } from "./far-view.ts";
import { flowEdges, flowNodes, LARGE, noProgress, type Progress } from "./flow-elements.ts";
import { StepNode, type StepFlowNode } from "./step-node.tsx";

const nodeTypes = { step: StepNode };

interface ReadOnlyCanvasProps {
  graph: Graph;
  progress?: Progress;
  selected?: string | undefined;
  onSelect?: (stepId: string) => void;
  label: string;
}

/** A graph to look at: a run, a preview, a version. */
export function ReadOnlyCanvas({
  graph,
  progress = noProgress,
  selected,
  onSelect,
  label,
}: ReadOnlyCanvasProps) {
  const isLarge = graph.steps.length > LARGE;
  const positions = useMemo(() => positionsOf(graph), [graph]);
  const previous = useRef<StepFlowNode[]>([]);
  const nodes = useMemo(() => {
    previous.current = flowNodes(graph, positions, progress, [], previous.current).map((node) =>
      (node.selected ?? false) === (node.id === selected)
        ? node
        : { ...node, selected: node.id === selected },
    );
    return previous.current;
  }, [graph, positions, progress, selected]);
  const edges = useMemo(() => flowEdges(graph, progress, undefined), [graph, progress]);
  return (
    <section className={isLarge ? "canvas many" : "canvas"} aria-label={label}>
      <ReactFlowProvider>
        <ReactFlow
          nodes={nodes}
          edges={edges}
          nodeTypes={nodeTypes}
          nodesDraggable={false}
          nodesConnectable={false}
          edgesFocusable={false}
          elementsSelectable={onSelect !== undefined}
          disableKeyboardA11y
          onNodeClick={(_event, node) => onSelect?.(node.id)}
          fitView
          fitViewOptions={{ padding: 0.15, maxZoom: 1 }}
          minZoom={0.05}
          onlyRenderVisibleElements={isLarge}
          proOptions={{ hideAttribution: true }}
        >
          <FarView />
          <Background gap={22} />
          <Controls showInteractive={false} />
        </ReactFlow>
      </ReactFlowProvider>
    </section>
  );
}
