import { type KeyboardEvent, useEffect, useId, useMemo, useState } from "react";
import type { Step } from "../../../../contract/graph.ts";
import { useApps } from "../../../api/apps.ts";
import { useConnections } from "../../../api/connections.ts";
import { useWorkflows } from "../../../api/workflows.ts";
import { nextCategory, type PickerCategory, pickerGroups } from "../../../flow/picker-groups.ts";
import {
  type Addable,
  addables,
  type Found,
  searchSteps,
  suggestedTypes,
} from "../../../flow/search-steps.ts";
import { actionsOf } from "./picker-actions.tsx";
import { recentStepTypes } from "./recent-steps.ts";

/** What was typed before the picker was open; an Enter at the end picks the first match. */
export interface TypedText {
  text: string;
  isEntered: boolean;
}

export interface StepSearchOptions {
  typed: TypedText;
  workflowId: string;
  /** The step before the new one and its last output, which decide the suggestions. */
  previous: Step | undefined;
  output: unknown;
  onPick: (entry: Addable) => void;
}

/** What the picker finds for the text, and the entry that the keys have reached. */
export function useStepSearch({ typed, workflowId, previous, output, onPick }: StepSearchOptions) {
  const all = useAddables(workflowId);
  const [text, setText] = useState(typed.text);
  const [category, setCategory] = useState<PickerCategory>("all");
  const [active, setActive] = useState(0);
  /** Undefined while the keys move in the list of steps. */
  const [action, setAction] = useState<number>();
  const listId = useId();
  const found = useMemo(() => searchSteps(all, text), [all, text]);
  const groups = pickerGroups(all, found, {
    text,
    category,
    suggested: suggestedTypes(previous, output),
    recent: recentStepTypes(),
  });
  const shown = groups.flatMap((group) => group.found);
  const current = shown[Math.min(active, shown.length - 1)];
  const actions = current === undefined ? [] : actionsOf(current);
  const activeId = action === undefined ? `${listId}-${active}` : `${listId}-action-${action}`;
  const select = (to: number): void => {
    setActive(to);
    setAction(undefined);
  };
  useEffect(() => {
    setActive(0);
    setAction(undefined);
  }, [text, category]);
  useEffect(() => {
    if (typed.isEntered) pick(current);
    // Once, for what was typed before.
    // oxlint-disable-next-line exhaustive-deps
  }, []);
  useEffect(() => {
    document.getElementById(activeId)?.scrollIntoView({ block: "nearest" });
  }, [activeId]);

  /** Picking an app picks its first action. */
  function pick(chosen: Found | undefined): void {
    const entry = chosen?.entry.app === undefined ? chosen?.entry : actionsOf(chosen)[action ?? 0];
    if (entry !== undefined) onPick(entry);
  }

  function onKeyDown(event: KeyboardEvent<HTMLInputElement>): void {
    const by = event.key === "ArrowDown" ? 1 : -1;
    const isAtEnd = event.currentTarget.selectionStart === text.length;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      if (action === undefined) select(Math.max(0, Math.min(active + by, shown.length - 1)));
      else setAction(Math.max(0, Math.min(action + by, actions.length - 1)));
    } else if (event.key === "ArrowRight" && isAtEnd && actions.length > 0) setAction(action ?? 0);
    else if (event.key === "ArrowLeft" && action !== undefined) setAction(undefined);
    else if (event.key === "Tab") setCategory(nextCategory(category, event.shiftKey ? -1 : 1));
    else if (event.key === "Enter") pick(current);
    else return;
    event.preventDefault();
  }

  return {
    text,
    setText,
    /** False while all steps are listed. */
    isSearch: text.trim() !== "",
    category,
    setCategory,
    found,
    groups,
    current,
    active,
    select,
    action,
    selectAction: setAction,
    listId,
    activeId,
    onKeyDown,
  };
}

function useAddables(workflowId: string): Addable[] {
  const workflows = useWorkflows().data;
  const apps = useApps().data;
  const connections = useConnections().data;
  return useMemo(
    () =>
      addables({
        workflows: workflows ?? [],
        own: workflowId,
        apps: apps ?? [],
        connections: connections ?? [],
      }),
    [workflows, workflowId, apps, connections],
  );
}
