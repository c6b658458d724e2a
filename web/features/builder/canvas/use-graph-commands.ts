import type { Step } from "../../../../contract/graph.ts";
import { isDisabled } from "../../../../contract/graph/disabled.ts";
import { tidy } from "../../../flow/add-step.ts";
import { removeNote } from "../../../flow/notes.ts";
import { locate, nodeIds, removeLines, removeNodes, updateNodes } from "../../../flow/scopes.ts";
import { emptySelection } from "../../../flow/selection.ts";
import type { GraphCommandDeps } from "./graph-command-deps.ts";
import { useGraphShortcuts } from "./use-graph-shortcuts.ts";
import { useInlineEditing } from "./use-inline-editing.ts";
import { useStepClipboard } from "./use-step-clipboard.ts";
import { useStepPicker } from "./use-step-picker.ts";

/** Every command on the graph, defined once for buttons, menus and shortcuts. */
export function useGraphCommands(deps: GraphCommandDeps) {
  const { history, selection, setSelection } = deps;
  const { draft, edit } = history;

  function remove(): void {
    if (history.isReadOnly) return;
    const { stepIds, edge, note } = selection;
    if (stepIds.size > 0) edit((now) => removeNodes(now, stepIds));
    else if (edge !== undefined) edit((now) => removeLines(now, [edge]));
    else if (note !== undefined) edit((now) => removeNote(now, note));
    else return;
    setSelection(emptySelection);
  }

  /** Disables the selected steps, or enables them when all of them are disabled. */
  function toggleDisabled(): void {
    const { stepIds } = selection;
    const steps = [...stepIds].flatMap((id) => locate(draft, id)?.step ?? []);
    if (steps.length === 0) return;
    const disabled = !steps.every(isDisabled);
    edit((now) =>
      updateNodes(now, stepIds, ({ disabled: _before, ...step }) =>
        disabled ? ({ ...step, disabled } as Step) : (step as Step),
      ),
    );
  }

  const commands = {
    ...useStepPicker(deps),
    ...useStepClipboard(deps, remove),
    ...useInlineEditing(deps),
    remove,
    toggleDisabled,
    selectAll: (): void => setSelection({ stepIds: new Set(nodeIds(draft)) }),
    arrange: (): void => edit(tidy),
  };
  useGraphShortcuts(deps, commands);
  return commands;
}
