import { ReactFlowProvider } from "@xyflow/react";
import { useMemo, useRef } from "react";
import type { Graph } from "../../../contract/graph.ts";
import { positionsOf } from "../../flow/layout.ts";
import { flowEdges, flowNodes, noProgress, type Progress, withSelection } from "./flow-elements.ts";
import { StepCanvas } from "./step-canvas.tsx";
import type { StepFlowNode } from "./step-node.tsx";

interface ReadOnlyCanvasProps {
  graph: Graph;
  progress?: Progress;
  selected?: string | undefined;
  onSelect?: (stepId: string) => void;
  label: string;
}

/** A graph that cannot be edited: a run or a preview. */
export function ReadOnlyCanvas({
  graph,
  progress = noProgress,
  selected,
  onSelect,
  label,
}: ReadOnlyCanvasProps) {
  const positions = useMemo(() => positionsOf(graph), [graph]);
  // Passed back in, so that unchanged nodes keep their identity while a run reports progress.
  const previous = useRef<StepFlowNode[]>([]);
  const nodes = useMemo(() => {
    previous.current = withSelection(
      flowNodes(graph, positions, progress, [], previous.current),
      (id) => id === selected,
    );
    return previous.current;
  }, [graph, positions, progress, selected]);
  const edges = useMemo(() => flowEdges(graph, progress, undefined), [graph, progress]);
  return (
    <ReactFlowProvider>
      <StepCanvas
        label={label}
        positions={positions}
        selected={selected}
        onSelectStep={onSelect}
        nodes={nodes}
        edges={edges}
        nodesDraggable={false}
        nodesConnectable={false}
        // Without editing, an edge has nothing to focus; Tab moves from step to step.
        edgesFocusable={false}
        elementsSelectable={onSelect !== undefined}
        onNodeClick={(_event, node) => onSelect?.(node.id)}
      />
    </ReactFlowProvider>
  );
}
