import { ReactFlowProvider } from "@xyflow/react";
import { useMemo, useRef } from "react";
import type { Graph } from "../../../contract/graph.ts";
import type { ChangeKind } from "../../flow/draft-changes.ts";
import { sceneOf } from "../../flow/scene.ts";
import {
  flowEdges,
  flowNodes,
  noProgress,
  type Progress,
  withFlags,
  withSelection,
} from "./flow-elements.ts";
import { StepCanvas } from "./step-canvas.tsx";
import type { StepLikeNode } from "./canvas-node.ts";

interface ReadOnlyCanvasProps {
  graph: Graph;
  progress?: Progress;
  /** The outputs of the run, which decide the lines that it took. */
  outputs?: ReadonlyMap<string, unknown>;
  selected?: string | undefined;
  onSelect?: (stepId: string) => void;
  label: string;
  /** How steps differ from the version that the graph is compared with. */
  flags?: ReadonlyMap<string, ChangeKind>;
}

const noFlags: ReadonlyMap<string, ChangeKind> = new Map();

/** A graph that cannot be edited: a run or a preview. */
export function ReadOnlyCanvas({
  graph,
  progress = noProgress,
  outputs,
  selected,
  onSelect,
  label,
  flags = noFlags,
}: ReadOnlyCanvasProps) {
  const scene = useMemo(() => sceneOf(graph), [graph]);
  // Passed back in, so that unchanged nodes keep their identity while a run reports progress.
  const previous = useRef<StepLikeNode[]>([]);
  const nodes = useMemo(() => {
    previous.current = withSelection(
      withFlags(flowNodes(scene, progress, [], previous.current), flags),
      (id) => id === selected,
    );
    return previous.current;
  }, [scene, progress, selected, flags]);
  const edges = useMemo(() => flowEdges(scene, { progress, outputs }), [scene, progress, outputs]);
  return (
    <ReactFlowProvider>
      <StepCanvas
        label={label}
        positions={scene.positions}
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
