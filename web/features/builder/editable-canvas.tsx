import "@xyflow/react/dist/style.css";
import "../canvas/canvas.css";
import {
  applyNodeChanges,
  Background,
  type Connection,
  Controls,
  type NodeChange,
  ReactFlow,
  SelectionMode,
  useReactFlow,
} from "@xyflow/react";
import { type DragEvent, useCallback, useEffect, useMemo, useState } from "react";
import type { Problem } from "../../../contract/graph.ts";
import { connect, type Draft, moveSteps, type Point, removeEdges, removeSteps } from "../../flow/draft.ts";
import { positionsOf } from "../../flow/layout.ts";
import { FarView } from "../canvas/far-view.ts";
import { flowEdges, flowNodes, LARGE, type Progress } from "../canvas/flow-elements.ts";
import { type StepFlowNode, StepNode } from "../canvas/step-node.tsx";
import type { Selection } from "./selection.ts";
import type { Edit } from "./use-draft.ts";

const nodeTypes = { step: StepNode };
export const STEP_TYPE_DATA = "application/x-baton-step-type";

interface EditableCanvasProps {
  draft: Draft;
  edit: Edit;
  progress: Progress;
  problems: readonly Problem[];
  selection: Selection;
  onSelect: (selection: Selection) => void;
  onDropType: (type: string, at: Point) => void;
}

export function EditableCanvas({
  draft,
  edit,
  progress,
  problems,
  selection,
  onSelect,
  onDropType,
}: EditableCanvasProps) {
  const flow = useReactFlow();
  const isLarge = draft.steps.length > LARGE;
  const positions = useMemo(() => positionsOf(draft), [draft]);
  const [nodes, setNodes] = useState<StepFlowNode[]>([]);
  useEffect(
    () => setNodes((before) => flowNodes(draft, positions, progress, problems, before)),
    [draft, positions, progress, problems],
  );
  const shown = useMemo(
    () =>
      nodes.map((node) => {
        const selected = selection.stepIds.has(node.id);
        return (node.selected ?? false) === selected ? node : { ...node, selected };
      }),
    [nodes, selection],
  );
  const edges = useMemo(() => flowEdges(draft, progress, selection.edge), [draft, progress, selection.edge]);

  const onNodesChange = useCallback(
    (changes: NodeChange<StepFlowNode>[]) => {
      const removed = changes.filter((change) => change.type === "remove").map((change) => change.id);
      if (removed.length > 0) edit((now) => removeSteps(now, new Set(removed)));
      const picked = changes.filter((change) => change.type === "select");
      if (picked.length > 0) {
        const stepIds = new Set(selection.stepIds);
        for (const change of picked) {
          if (change.selected) stepIds.add(change.id);
          else stepIds.delete(change.id);
        }
        onSelect({ stepIds });
      }
      setNodes((before) =>
        applyNodeChanges(
          changes.filter(({ type }) => type === "position" || type === "dimensions"),
          before,
        ),
      );
    },
    [edit, onSelect, selection.stepIds],
  );

  const keepPositions = useCallback(
    (_event: unknown, _node: unknown, moved: StepFlowNode[]) =>
      edit((now) =>
        moveSteps(
          now,
          new Map([...positionsOf(now), ...moved.map((node): [string, Point] => [node.id, node.position])]),
        ),
      ),
    [edit],
  );

  function drop(event: DragEvent): void {
    const type = event.dataTransfer.getData(STEP_TYPE_DATA);
    if (type === "") return;
    event.preventDefault();
    onDropType(type, flow.screenToFlowPosition({ x: event.clientX, y: event.clientY }));
  }

  return (
    <section
      className={isLarge ? "canvas many" : "canvas"}
      aria-label="Canvas"
      onDragOver={(event) => event.dataTransfer.types.includes(STEP_TYPE_DATA) && event.preventDefault()}
      onDrop={drop}
      onFocus={(event) => {
        // Tab walks the steps; the one with the focus is the one the inspector shows.
        const id = event.target.closest<HTMLElement>(".react-flow__node")?.dataset["id"];
        if (id !== undefined && event.target.matches(":focus-visible")) onSelect({ stepIds: new Set([id]) });
      }}
    >
      <ReactFlow
        nodes={shown}
        edges={edges}
        nodeTypes={nodeTypes}
        onNodesChange={onNodesChange}
        onConnect={({ source, target }: Connection) => edit((now) => connect(now, source, target))}
        onEdgesDelete={(gone) => edit((now) => removeEdges(now, new Set(gone.map(({ id }) => id))))}
        onEdgeClick={(_event, { id }) => onSelect({ stepIds: new Set(), edge: id })}
        onNodeClick={(event, { id }) => {
          // The library would leave the others chosen, and Delete would take them along.
          if (!event.shiftKey && !event.metaKey && !event.ctrlKey) onSelect({ stepIds: new Set([id]) });
        }}
        onPaneClick={() => onSelect({ stepIds: new Set() })}
        onNodeDragStop={keepPositions}
        disableKeyboardA11y
        deleteKeyCode={null}
        selectionMode={SelectionMode.Partial}
        selectNodesOnDrag={false}
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
    </section>
  );
}
