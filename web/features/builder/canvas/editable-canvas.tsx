import { applyNodeChanges, type Connection, type NodeChange, useReactFlow } from "@xyflow/react";
import { type ComponentProps, type DragEvent, useCallback, useEffect, useMemo, useState } from "react";
import type { Problem } from "../../../../contract/graph.ts";
import { connect, type Draft, moveSteps, type Point, removeEdges, removeSteps } from "../../../flow/draft.ts";
import type { Pins } from "../../../flow/known-results.ts";
import { positionsOf } from "../../../flow/layout.ts";
import { type Selection, selectStep, selectTrigger } from "../../../flow/selection.ts";
import { isTriggerId, type Trigger, triggerPositions } from "../../../flow/triggers.ts";
import { type CanvasNode, isStepNode } from "../../canvas/canvas-node.ts";
import { flowEdges, flowNodes, type Progress, withPins, withSelection } from "../../canvas/flow-elements.ts";
import { StepCanvas } from "../../canvas/step-canvas.tsx";
import type { StepFlowNode } from "../../canvas/step-node.tsx";
import { triggerEdges, triggerNodes } from "../../canvas/trigger-elements.ts";
import type { Edit } from "../use-draft.ts";

/** Marks a drag from the palette; other drags, such as files, do not carry it. */
export const STEP_TYPE_MIME = "application/x-baton-step-type";

interface EditableCanvasProps {
  draft: Draft;
  edit: Edit;
  triggers: readonly Trigger[];
  progress: Progress;
  pins: Pins;
  problems: readonly Problem[];
  selection: Selection;
  onSelect: (selection: Selection) => void;
  onDropType: (type: string, at: Point) => void;
  search: { open: boolean; setOpen: (open: boolean) => void };
  coveredRight: number;
}

/** The draft as a graph that the user edits with mouse and keyboard. */
export function EditableCanvas(props: EditableCanvasProps) {
  const { draft, edit, triggers, progress, pins, problems, selection, onSelect, onDropType } = props;
  const positions = useMemo(() => positionsOf(draft), [draft]);
  const [nodes, onNodesChange] = useNodes({
    draft,
    edit,
    positions,
    progress,
    problems,
    selection,
    onSelect,
  });
  const triggerAt = useMemo(() => triggerPositions(triggers, draft, positions), [triggers, draft, positions]);
  // Selection and pins are applied outside the node state: they change without a change of the graph.
  const shown = useMemo(
    (): CanvasNode[] => [
      ...triggerNodes(triggers, triggerAt, selection.trigger),
      ...withPins(
        withSelection(nodes, (stepId) => selection.stepIds.has(stepId)),
        pins,
      ),
    ],
    [nodes, selection, pins, triggers, triggerAt],
  );
  const edges = useMemo(
    () => [...triggerEdges(triggers, draft), ...flowEdges(draft, progress, selection.edge)],
    [triggers, draft, progress, selection.edge],
  );
  const placed = useMemo(() => new Map([...triggerAt, ...positions]), [triggerAt, positions]);
  const savePositions = useCallback(
    // Stores the positions of all steps: one step without a position makes the layout place all of them again.
    (_event: unknown, _node: unknown, moved: CanvasNode[]) =>
      edit((now) =>
        moveSteps(
          now,
          new Map([
            ...positionsOf(now),
            ...moved.filter(isStepNode).map((node): [string, Point] => [node.id, node.position]),
          ]),
        ),
      ),
    [edit],
  );
  return (
    <StepCanvas
      label="Canvas"
      positions={placed}
      selected={selection.stepIds.size === 1 ? [...selection.stepIds][0] : selection.trigger}
      onSelectStep={(stepId) => onSelect(selectStep(stepId))}
      search={props.search}
      coveredRight={props.coveredRight}
      sectionProps={{
        ...useDropTarget(onDropType),
        onFocus(event) {
          // Tab moves the focus through the steps; the focused step is the one in the inspector.
          const id = event.target.closest<HTMLElement>(".react-flow__node")?.dataset["id"];
          if (id !== undefined && event.target.matches(":focus-visible")) onSelect(selectNode(id));
        },
      }}
      nodes={shown}
      edges={edges}
      onNodesChange={onNodesChange}
      onConnect={({ source, target }: Connection) => edit((now) => connect(now, source, target))}
      onEdgesDelete={(deleted) => edit((now) => removeEdges(now, new Set(deleted.map(({ id }) => id))))}
      onEdgeClick={(_event, { id }) => onSelect({ stepIds: new Set(), edge: id })}
      onNodeClick={(event, { id }) => {
        // React Flow keeps the other steps selected on a plain click; Delete would then remove them too.
        if (!event.shiftKey && !event.metaKey && !event.ctrlKey) onSelect(selectNode(id));
      }}
      onPaneClick={() => onSelect({ stepIds: new Set() })}
      onNodeDragStop={savePositions}
      // Deleting is a shortcut of the builder, which also works while the inspector has the focus.
      deleteKeyCode={null}
      selectNodesOnDrag={false}
    />
  );
}

function selectNode(id: string): Selection {
  return isTriggerId(id) ? selectTrigger(id) : selectStep(id);
}

interface NodesOptions extends Pick<
  EditableCanvasProps,
  "draft" | "edit" | "progress" | "problems" | "selection" | "onSelect"
> {
  positions: ReadonlyMap<string, Point>;
}

/** The nodes of React Flow. A drag changes only these; its end changes the draft, as one undo step. */
function useNodes({ draft, edit, positions, progress, problems, selection, onSelect }: NodesOptions) {
  const [nodes, setNodes] = useState<StepFlowNode[]>([]);
  useEffect(
    () => setNodes((before) => flowNodes(draft, positions, progress, problems, before)),
    [draft, positions, progress, problems],
  );
  const onNodesChange = useCallback(
    (all: NodeChange<CanvasNode>[]) => {
      const changes = all.filter(isStepChange);
      const removed = changes.filter((change) => change.type === "remove").map((change) => change.id);
      if (removed.length > 0) edit((now) => removeSteps(now, new Set(removed)));
      const selected = changes.filter((change) => change.type === "select");
      if (selected.length > 0) {
        const stepIds = new Set(selection.stepIds);
        for (const change of selected) {
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
  return [nodes, onNodesChange] as const;
}

/** Triggers are placed and selected by the page, not by React Flow. */
function isStepChange(change: NodeChange<CanvasNode>): change is NodeChange<StepFlowNode> {
  return !("id" in change && isTriggerId(change.id));
}

/** Accepts step types dragged from the palette. */
function useDropTarget(
  onDropType: (type: string, at: Point) => void,
): Pick<ComponentProps<"section">, "onDragOver" | "onDrop"> {
  const flow = useReactFlow();
  return {
    onDragOver(event: DragEvent) {
      if (event.dataTransfer.types.includes(STEP_TYPE_MIME)) event.preventDefault();
    },
    onDrop(event: DragEvent) {
      const type = event.dataTransfer.getData(STEP_TYPE_MIME);
      if (type === "") return;
      event.preventDefault();
      onDropType(type, flow.screenToFlowPosition({ x: event.clientX, y: event.clientY }));
    },
  };
}
