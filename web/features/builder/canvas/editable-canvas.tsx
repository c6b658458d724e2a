import { applyNodeChanges, type Connection, type NodeChange, useReactFlow } from "@xyflow/react";
import { type DragEvent, useCallback, useEffect, useMemo, useState } from "react";
import type { Problem } from "../../../../contract/graph.ts";
import { connect, type Draft, moveSteps, type Point, removeEdges, removeSteps } from "../../../flow/draft.ts";
import type { Pins } from "../../../flow/known-results.ts";
import { positionsOf } from "../../../flow/layout.ts";
import { flowEdges, flowNodes, type Progress, withPins, withSelection } from "../../canvas/flow-elements.ts";
import { StepCanvas } from "../../canvas/step-canvas.tsx";
import type { StepFlowNode } from "../../canvas/step-node.tsx";
import { selectStep, type Selection } from "../../../flow/selection.ts";
import type { Edit } from "../use-draft.ts";

export const STEP_TYPE_MIME = "application/x-baton-step-type";

interface EditableCanvasProps {
  draft: Draft;
  edit: Edit;
  progress: Progress;
  pins: Pins;
  problems: readonly Problem[];
  selection: Selection;
  onSelect: (selection: Selection) => void;
  onDropType: (type: string, at: Point) => void;
}

export function EditableCanvas({
  draft,
  edit,
  progress,
  pins,
  problems,
  selection,
  onSelect,
  onDropType,
}: EditableCanvasProps) {
  const flow = useReactFlow();
  const positions = useMemo(() => positionsOf(draft), [draft]);
  const [nodes, setNodes] = useState<StepFlowNode[]>([]);
  useEffect(
    () => setNodes((before) => flowNodes(draft, positions, progress, problems, before)),
    [draft, positions, progress, problems],
  );
  const shown = useMemo(
    () =>
      withPins(
        withSelection(nodes, (stepId) => selection.stepIds.has(stepId)),
        pins,
      ),
    [nodes, selection, pins],
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
    const type = event.dataTransfer.getData(STEP_TYPE_MIME);
    if (type === "") return;
    event.preventDefault();
    onDropType(type, flow.screenToFlowPosition({ x: event.clientX, y: event.clientY }));
  }

  return (
    <StepCanvas
      label="Canvas"
      positions={positions}
      chosen={selection.stepIds.size === 1 ? [...selection.stepIds][0] : undefined}
      onChoose={(stepId) => onSelect(selectStep(stepId))}
      place={{
        onDragOver: (event) => event.dataTransfer.types.includes(STEP_TYPE_MIME) && event.preventDefault(),
        onDrop: drop,
        onFocus(event) {
          // Tab walks the steps; the one with the focus is the one the inspector shows.
          const id = event.target.closest<HTMLElement>(".react-flow__node")?.dataset["id"];
          if (id !== undefined && event.target.matches(":focus-visible")) onSelect(selectStep(id));
        },
      }}
      nodes={shown}
      edges={edges}
      onNodesChange={onNodesChange}
      onConnect={({ source, target }: Connection) => edit((now) => connect(now, source, target))}
      onEdgesDelete={(gone) => edit((now) => removeEdges(now, new Set(gone.map(({ id }) => id))))}
      onEdgeClick={(_event, { id }) => onSelect({ stepIds: new Set(), edge: id })}
      onNodeClick={(event, { id }) => {
        // The library would leave the others chosen, and Delete would take them along.
        if (!event.shiftKey && !event.metaKey && !event.ctrlKey) onSelect(selectStep(id));
      }}
      onPaneClick={() => onSelect({ stepIds: new Set() })}
      onNodeDragStop={keepPositions}
      deleteKeyCode={null}
      selectNodesOnDrag={false}
    />
  );
}
