import {
  applyNodeChanges,
  type FinalConnectionState,
  type NodeChange,
  type NodeSelectionChange,
  useReactFlow,
} from "@xyflow/react";
import { type MouseEvent, useCallback, useEffect, useMemo, useState } from "react";
import type { Note, Problem } from "../../../../contract/graph.ts";
import { explicitEdges, type Place, pinPlaces } from "../../../flow/add-step.ts";
import { connect, type Draft } from "../../../flow/draft.ts";
import type { Pins } from "../../../flow/known-results.ts";
import { noteIdOf, noteNodeId, updateNote } from "../../../flow/notes.ts";
import { type Scene, sceneOf } from "../../../flow/scene.ts";
import { editScope, locate, moveNodes, removeNodes } from "../../../flow/scopes.ts";
import { onlyStep, type Selection, selectNode, selectStep } from "../../../flow/selection.ts";
import { isTriggerId, type Trigger } from "../../../flow/triggers.ts";
import { type CanvasActions, CanvasActionsContext } from "../../canvas/canvas-actions.ts";
import { type CanvasNode, isStepNode, type OwnNode } from "../../canvas/canvas-node.ts";
import {
  flowEdges,
  flowNodes,
  noteNodes,
  type Progress,
  withPins,
  withSelection,
} from "../../canvas/flow-elements.ts";
import { StepCanvas } from "../../canvas/step-canvas.tsx";
import { triggerNodes } from "../../canvas/trigger-elements.ts";
import type { Edit } from "../use-draft.ts";

interface EditableCanvasProps {
  draft: Draft;
  edit: Edit;
  triggers: readonly Trigger[];
  progress: Progress;
  /** The outputs of the last run, which decide the lines that it took. */
  outputs: ReadonlyMap<string, unknown>;
  pins: Pins;
  problems: readonly Problem[];
  selection: Selection;
  onSelect: (selection: Selection) => void;
  /** Undefined for a reader: nodes and lines have no buttons. */
  actions: CanvasActions | undefined;
  search: { open: boolean; setOpen: (open: boolean) => void };
  coveredRight: number;
}

/** The draft as a graph that the user edits with mouse and keyboard. */
export function EditableCanvas(props: EditableCanvasProps) {
  const { draft, edit, triggers, progress, outputs, pins, problems, selection, onSelect, actions } = props;
  const onAdd = actions?.add ?? noAdd;
  const scene = useMemo(() => sceneOf(draft, triggers), [draft, triggers]);
  const notes = draft.notes ?? noNotes;
  const isEmpty = draft.steps.length === 0;
  const [nodes, onNodesChange] = useNodes({ scene, notes, edit, progress, problems, selection, onSelect });
  // Selection and pins are applied outside the node state: they change without a change of the graph.
  const shown = useMemo(
    (): CanvasNode[] => [
      ...triggerNodes(triggers, scene.triggers, selection.trigger, isEmpty),
      ...withPins(
        withSelection(
          nodes,
          (nodeId) => selection.stepIds.has(nodeId) || nodeId === noteNodeId(selection.note ?? ""),
        ),
        pins,
      ),
    ],
    [nodes, selection, pins, triggers, scene, isEmpty],
  );
  const edges = useMemo(
    () => flowEdges(scene, { progress, outputs, selected: selection.edge }),
    [scene, progress, outputs, selection.edge],
  );
  const savePositions = useCallback(
    // Stores the positions of all steps around: one step without a position makes the layout place all of them again.
    (_event: unknown, _node: unknown, moved: CanvasNode[]) =>
      edit((now) => {
        const steps = moved.filter(isStepNode);
        const pinned = steps.reduce((draftNow, { parentId }) => pinPlaces(draftNow, parentId), now);
        const placed = moveNodes(pinned, new Map(steps.map((node) => [node.id, node.position])));
        return moved
          .filter((node) => node.type === "note")
          .reduce((draftNow, { data, position }) => updateNote(draftNow, data.noteId, { position }), placed);
      }),
    [edit],
  );
  return (
    <CanvasActionsContext value={actions}>
      <StepCanvas
        label="Canvas"
        positions={scene.positions}
        selected={onlyStep(selection) ?? selection.trigger}
        onSelectStep={(nodeId) => onSelect(selectStep(nodeId))}
        search={props.search}
        coveredRight={props.coveredRight}
        sectionProps={{
          onDoubleClick: useAddOnDoubleClick(onAdd),
          onFocus(event) {
            // Tab moves the focus through the steps; the focused step is the one in the panel.
            const { target } = event;
            const id = target.classList.contains("react-flow__node") ? target.dataset["id"] : undefined;
            if (id !== undefined && target.matches(":focus-visible")) onSelect(selectAny(id));
          },
        }}
        nodes={shown}
        nodesDraggable={actions !== undefined}
        nodesConnectable={actions !== undefined}
        edges={edges}
        onNodesChange={onNodesChange}
        isValidConnection={({ source, target }) =>
          locate(draft, source)?.scope === locate(draft, target)?.scope
        }
        onConnect={({ source, target }) => edit((now) => connectNodes(now, source, target))}
        onConnectEnd={useAddOnDrop(onAdd)}
        onEdgeClick={(_event, { id, selectable }) => {
          if (selectable !== false) onSelect({ stepIds: new Set(), edge: id });
        }}
        onNodeClick={(event, { id }) => {
          // React Flow keeps the other steps selected on a plain click; Delete would then remove them too.
          if (!event.shiftKey && !event.metaKey && !event.ctrlKey) onSelect(selectAny(id));
        }}
        onPaneClick={() => onSelect({ stepIds: new Set() })}
        onNodeContextMenu={(_event, { id }) => {
          // A right click on one of several selected steps is about all of them.
          if (!selection.stepIds.has(id)) onSelect(selectAny(id));
        }}
        onEdgeContextMenu={(_event, { id, selectable }) =>
          onSelect(selectable === false ? { stepIds: new Set() } : { stepIds: new Set(), edge: id })
        }
        onPaneContextMenu={() => onSelect({ stepIds: new Set() })}
        onNodeDragStop={savePositions}
        onSelectionDragStop={(event, moved) => savePositions(event, undefined, moved)}
        // Deleting is a shortcut of the builder, which also works while the panel has the focus.
        deleteKeyCode={null}
        multiSelectionKeyCode={["Shift", "Meta", "Control"]}
        zoomOnDoubleClick={false}
        selectNodesOnDrag={false}
      />
    </CanvasActionsContext>
  );
}

function connectNodes(draft: Draft, source: string, target: string): Draft {
  const [from, to] = [locate(draft, source), locate(draft, target)];
  if (from === undefined || to === undefined || from.scope !== to.scope) return draft;
  return editScope(draft, from.scope, (graph) =>
    connect(explicitEdges(graph), from.step.stepId, to.step.stepId),
  );
}

/** A line dropped on the empty canvas opens the picker; the new step is connected already. */
function useAddOnDrop(onAdd: CanvasActions["add"]) {
  const flow = useReactFlow();
  return (
    event: globalThis.MouseEvent | TouchEvent,
    { fromNode, fromHandle, toNode }: FinalConnectionState,
  ) => {
    if (fromNode === null || fromHandle?.type !== "source" || toNode !== null) return;
    const near = "touches" in event ? event.changedTouches[0] : event;
    if (near === undefined) return;
    const at = { x: near.clientX, y: near.clientY };
    const place: Place = isTriggerId(fromNode.id)
      ? { kind: "free", at: flow.screenToFlowPosition(at) }
      : { kind: "after", nodeId: fromNode.id, at: flow.screenToFlowPosition(at) };
    onAdd(place, at);
  };
}

function useAddOnDoubleClick(onAdd: CanvasActions["add"]) {
  const flow = useReactFlow();
  return ({ target, clientX: x, clientY: y }: MouseEvent): void => {
    if (!(target instanceof Element)) return;
    const loop = target.closest<HTMLElement>(".react-flow__node-loop");
    if (loop?.dataset["id"] !== undefined) onAdd({ kind: "free", scope: loop.dataset["id"] }, { x, y });
    else if (target.classList.contains("react-flow__pane"))
      onAdd({ kind: "free", at: flow.screenToFlowPosition({ x, y }) }, { x, y });
  };
}

const noNotes: readonly Note[] = [];
const noAdd: CanvasActions["add"] = () => undefined;

function selectAny(nodeId: string): Selection {
  const note = noteIdOf(nodeId);
  return note === undefined ? selectNode(nodeId) : { stepIds: new Set(), note };
}

interface NodesOptions extends Pick<
  EditableCanvasProps,
  "edit" | "progress" | "problems" | "selection" | "onSelect"
> {
  scene: Scene;
  notes: readonly Note[];
}

/** The nodes of React Flow. A drag changes only these; its end changes the draft, as one undo step. */
function useNodes({ scene, notes, edit, progress, problems, selection, onSelect }: NodesOptions) {
  const [nodes, setNodes] = useState<OwnNode[]>([]);
  useEffect(
    () =>
      setNodes((before) => [...noteNodes(notes, before), ...flowNodes(scene, progress, problems, before)]),
    [scene, notes, progress, problems],
  );
  const onNodesChange = useCallback(
    (all: NodeChange<CanvasNode>[]) => {
      const changes = all.filter(isOwnChange);
      const removed = changes.filter((change) => change.type === "remove").map((change) => change.id);
      if (removed.length > 0) edit((now) => removeNodes(now, removed));
      // A note is selected by a click alone: it is not part of a selection of steps.
      const selected = changes.filter(
        (change) => change.type === "select" && noteIdOf(change.id) === undefined,
      ) as NodeSelectionChange[];
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
function isOwnChange(change: NodeChange<CanvasNode>): change is NodeChange<OwnNode> {
  return !("id" in change && isTriggerId(change.id));
}
