import { Popover } from "radix-ui";
import { Search, Sparkles } from "lucide-react";
import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from "react";
import type { Step } from "../../../../contract/graph.ts";
import { useWorkflows } from "../../../api/workflows.ts";
import type { Point } from "../../../flow/draft.ts";
import {
  type Addable,
  addables,
  CATEGORIES,
  searchSteps,
  suggestedTypes,
} from "../../../flow/search-steps.ts";
import { stepIcon } from "../../canvas/step-icons.ts";
import { triggerIcons } from "../../canvas/trigger-node.tsx";
import { recentStepTypes } from "./recent-steps.ts";
import "./step-picker.css";

/** What was typed before the picker was there; with Enter at the end, the first match is meant. */
export interface TypedText {
  text: string;
  isEntered: boolean;
}

interface StepPickerProps {
  typed: TypedText;
  workflowId: string;
  /** Next to this point of the window; without one, next to the button that adds steps. */
  near: Point | undefined;
  /** "Insert between Get order and Over €100?" */
  where: string;
  /** The step before the new one and its last output, which decide the suggestions. */
  previous: Step | undefined;
  output: unknown;
  onPick: (entry: Addable) => void;
  onDescribe: (text: string) => void;
  onClose: () => void;
}

type Category = Addable["category"] | "all";

/** Finds a step by its name or by a word that people use for it, and adds it where the picker was opened. */
export function StepPicker(props: StepPickerProps) {
  const { near, onClose } = props;
  // Radix places the popover next to whatever has this rectangle.
  const anchor = useRef({ getBoundingClientRect: () => rectangleAt(near) });
  anchor.current = { getBoundingClientRect: () => rectangleAt(near) };
  return (
    <Popover.Root open onOpenChange={(open) => !open && onClose()}>
      <Popover.Anchor virtualRef={anchor} />
      <Popover.Portal>
        <Popover.Content
          className="popover step-picker"
          side="right"
          align="start"
          sideOffset={14}
          collisionPadding={8}
          aria-label="Add step"
          onOpenAutoFocus={(event) => {
            // Radix would select the text, and the next letter would replace it.
            event.preventDefault();
            (event.target as Element).querySelector<HTMLElement>(".picker-input")?.focus();
          }}
        >
          <StepSearch {...props} />
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}

function rectangleAt(near: Point | undefined): DOMRect {
  const button = document.querySelector(".canvas-tools [aria-label='Add step']");
  if (near === undefined && button !== null) return button.getBoundingClientRect();
  return new DOMRect(near?.x ?? innerWidth / 2, near?.y ?? innerHeight / 3, 0, 0);
}

interface Group {
  title: string;
  entries: readonly Addable[];
}

function StepSearch({ typed, workflowId, where, previous, output, onPick, onDescribe }: StepPickerProps) {
  const workflows = useWorkflows().data;
  const all = useMemo(() => addables(workflows ?? [], workflowId), [workflows, workflowId]);
  const [text, setText] = useState(typed.text);
  const [category, setCategory] = useState<Category>("all");
  const [active, setActive] = useState(0);
  const listId = useId();
  const found = useMemo(() => searchSteps(all, text), [all, text]);
  const groups = groupsOf(all, found, text, category, suggestedTypes(previous, output));
  const shown = groups.flatMap(({ entries }) => entries);
  const current = shown[Math.min(active, shown.length - 1)];
  useEffect(() => setActive(0), [text, category]);
  useEffect(() => {
    if (typed.isEntered && current !== undefined) onPick(current);
    // Once, for what was typed before.
    // oxlint-disable-next-line exhaustive-deps
  }, []);
  useEffect(() => {
    document.getElementById(`${listId}-${active}`)?.scrollIntoView({ block: "nearest" });
  }, [active, listId]);

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key === "ArrowDown") setActive(Math.min(active + 1, shown.length - 1));
    else if (event.key === "ArrowUp") setActive(Math.max(active - 1, 0));
    else if (event.key === "Tab") setCategory(nextCategory(category, event.shiftKey ? -1 : 1));
    else if (event.key === "Enter" && current !== undefined) onPick(current);
    else return;
    event.preventDefault();
  }

  let index = -1;
  return (
    <>
      <div className="picker-head">
        <Search size={15} aria-hidden />
        <input
          className="picker-input"
          aria-label="Search steps"
          placeholder="Search steps"
          role="combobox"
          aria-expanded="true"
          aria-controls={listId}
          aria-activedescendant={shown.length > 0 ? `${listId}-${active}` : undefined}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={onKeyDown}
        />
        <span className="small muted ellipsis">{where}</span>
      </div>
      <div className="picker-body">
        <div className="picker-categories" role="group" aria-label="Categories">
          {([["all", text === "" ? "All steps" : "All results"], ...CATEGORIES] as const).map(
            ([key, title]) => {
              const count =
                key === "all" ? found.length : found.filter((entry) => entry.category === key).length;
              return (
                <button
                  key={key}
                  type="button"
                  tabIndex={-1}
                  aria-pressed={category === key}
                  onClick={() => setCategory(key)}
                >
                  <span className="grow">{title}</span> <span className="muted">{count}</span>
                </button>
              );
            },
          )}
        </div>
        <div id={listId} role="listbox" aria-label="Steps" className="picker-list">
          {groups.map(({ title, entries }) => (
            <div key={title} role="group" aria-label={title}>
              <div className="picker-group" aria-hidden>
                {title}
              </div>
              {entries.map((entry) => {
                index += 1;
                const at = index;
                const Icon = entry.trigger === undefined ? stepIcon(entry.type) : triggerIcons[entry.trigger];
                return (
                  <div
                    key={entry.key}
                    id={`${listId}-${at}`}
                    role="option"
                    aria-selected={at === active}
                    className="picker-item"
                    onMouseMove={() => setActive(at)}
                    onClick={() => onPick(entry)}
                  >
                    <Icon size={15} aria-hidden />
                    <b>{entry.title}</b>
                    <span className="small muted ellipsis">
                      {entry.trigger === undefined ? entry.description : `Trigger · ${entry.description}`}
                    </span>
                  </div>
                );
              })}
            </div>
          ))}
          {found.length === 0 && (
            <p className="small muted picker-empty">
              No step is called “{text}”. An HTTP request can call any service, or describe what you need.
            </p>
          )}
        </div>
        {current !== undefined && (
          <div className="picker-detail" aria-hidden>
            <b>{current.title}</b>
            <p className="small muted">{current.description}</p>
          </div>
        )}
      </div>
      <div className="picker-foot small muted">
        <kbd>↑</kbd> <kbd>↓</kbd> move <kbd>↵</kbd> insert <kbd>Tab</kbd> category
        <span className="grow" />
        <button type="button" className="btn ghost tiny" onClick={() => onDescribe(text)}>
          <Sparkles size={13} aria-hidden /> Describe it
        </button>
      </div>
    </>
  );
}

/** Before typing: what fits here and what was used last. A search that finds nothing still offers the HTTP request. */
function groupsOf(
  all: readonly Addable[],
  found: readonly Addable[],
  text: string,
  category: Category,
  suggested: readonly string[],
): Group[] {
  const ofTypes = (types: readonly string[]): Addable[] =>
    types.flatMap((type) => all.find((entry) => entry.key === type) ?? []);
  if (found.length === 0) return [{ title: "Instead", entries: ofTypes(["http", "transform"]) }];
  const inCategory = category === "all" ? found : found.filter((entry) => entry.category === category);
  // Best first: splitting the matches by category would put the best one somewhere in the middle.
  if (text.trim() !== "") return [{ title: "Results", entries: inCategory }];
  const byCategory = CATEGORIES.map(([key, title]) => ({
    title,
    entries: inCategory.filter((entry) => entry.category === key),
  }));
  const recent = recentStepTypes().filter((type) => !suggested.includes(type));
  const first = [
    { title: "Suggested", entries: ofTypes(suggested) },
    { title: "Recent", entries: ofTypes(recent) },
  ];
  return [...(category === "all" ? first : []), ...byCategory].filter(({ entries }) => entries.length > 0);
}

function nextCategory(category: Category, by: 1 | -1): Category {
  const keys: Category[] = ["all", ...CATEGORIES.map(([key]) => key)];
  return keys[(keys.indexOf(category) + by + keys.length) % keys.length] ?? "all";
}
