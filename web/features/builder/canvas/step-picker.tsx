import { Popover } from "radix-ui";
import { ChevronRight, Search, Sparkles } from "lucide-react";
import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from "react";
import type { Step } from "../../../../contract/graph.ts";
import { useApps } from "../../../api/apps.ts";
import { useConnections } from "../../../api/connections.ts";
import { useWorkflows } from "../../../api/workflows.ts";
import type { Point } from "../../../flow/draft.ts";
import {
  type Addable,
  addables,
  CATEGORIES,
  type Found,
  searchSteps,
  suggestedTypes,
} from "../../../flow/search-steps.ts";
import { AppTile } from "../../../ui/app-tile.tsx";
import { stepIcon } from "../../canvas/step-icons.ts";
import { triggerIcons } from "../../canvas/trigger-node.tsx";
import { actionsOf, PickerActions } from "./picker-actions.tsx";
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

const NARROW = 700;

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
          // On a phone there is no room beside anything.
          side={innerWidth <= NARROW ? "bottom" : "right"}
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
  found: readonly Found[];
}

function StepSearch({ typed, workflowId, where, previous, output, onPick, onDescribe }: StepPickerProps) {
  const workflows = useWorkflows().data;
  const apps = useApps().data;
  const connections = useConnections().data;
  const all = useMemo(
    () =>
      addables({
        workflows: workflows ?? [],
        own: workflowId,
        apps: apps ?? [],
        connections: connections ?? [],
      }),
    [workflows, workflowId, apps, connections],
  );
  const [text, setText] = useState(typed.text);
  const [category, setCategory] = useState<Category>("all");
  const [active, setActive] = useState(0);
  /** Undefined while the keys move in the list of steps. */
  const [action, setAction] = useState<number>();
  const listId = useId();
  const found = useMemo(() => searchSteps(all, text), [all, text]);
  const groups = groupsOf(all, found, text, category, suggestedTypes(previous, output));
  const shown = groups.flatMap((group) => group.found);
  const current = shown[Math.min(active, shown.length - 1)];
  const actions = current === undefined ? [] : actionsOf(current);
  const move = (to: number): void => {
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
    const id = action === undefined ? `${listId}-${active}` : `${listId}-action-${action}`;
    document.getElementById(id)?.scrollIntoView({ block: "nearest" });
  }, [active, action, listId]);

  /** Of an app, its first action is meant. */
  function pick(chosen: Found | undefined): void {
    const entry = chosen?.entry.app === undefined ? chosen?.entry : actionsOf(chosen)[action ?? 0];
    if (entry !== undefined) onPick(entry);
  }

  function onKeyDown(event: KeyboardEvent<HTMLInputElement>): void {
    const by = event.key === "ArrowDown" ? 1 : -1;
    const isAtEnd = event.currentTarget.selectionStart === text.length;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      if (action === undefined) move(Math.max(0, Math.min(active + by, shown.length - 1)));
      else setAction(Math.max(0, Math.min(action + by, actions.length - 1)));
    } else if (event.key === "ArrowRight" && isAtEnd && actions.length > 0) setAction(action ?? 0);
    else if (event.key === "ArrowLeft" && action !== undefined) setAction(undefined);
    else if (event.key === "Tab") setCategory(nextCategory(category, event.shiftKey ? -1 : 1));
    else if (event.key === "Enter") pick(current);
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
          placeholder="Search steps and apps"
          role="combobox"
          aria-expanded="true"
          aria-controls={action === undefined ? listId : `${listId}-actions`}
          aria-activedescendant={
            shown.length === 0
              ? undefined
              : action === undefined
                ? `${listId}-${active}`
                : `${listId}-action-${action}`
          }
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={onKeyDown}
        />
        <span className="small muted ellipsis">{where}</span>
      </div>
      <div className={`picker-body${action === undefined ? "" : " in-actions"}`}>
        <div className="picker-categories" role="group" aria-label="Categories">
          {([["all", text === "" ? "All steps" : "All results"], ...CATEGORIES] as const).map(
            ([key, title]) => {
              const count =
                key === "all" ? found.length : found.filter(({ entry }) => entry.category === key).length;
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
          {groups.map((group) => (
            <div key={group.title} role="group" aria-label={group.title}>
              <div className="picker-group" aria-hidden>
                {group.title}
              </div>
              {group.found.map((one) => {
                index += 1;
                const at = index;
                return (
                  <div
                    key={one.entry.key}
                    id={`${listId}-${at}`}
                    role="option"
                    aria-selected={at === active}
                    className="picker-item"
                    onMouseMove={() => at !== active && move(at)}
                    onClick={() => (one.entry.app === undefined ? onPick(one.entry) : setAction(0))}
                  >
                    <EntryRow found={one} isSearch={text.trim() !== ""} />
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
        {current?.entry.app !== undefined ? (
          <PickerActions
            found={current}
            isSearch={text.trim() !== ""}
            listId={listId}
            active={action}
            onActive={setAction}
            onPick={onPick}
          />
        ) : (
          current !== undefined && (
            <div className="picker-detail" aria-hidden>
              <b>{current.entry.title}</b>
              <p className="small muted">{current.entry.description}</p>
            </div>
          )
        )}
      </div>
      <div className="picker-foot small muted">
        <span className="picker-keys">
          <kbd>↑</kbd> <kbd>↓</kbd> move <kbd>→</kbd> actions <kbd>↵</kbd> insert <kbd>Tab</kbd> category
        </span>
        <span className="grow" />
        <button type="button" className="btn ghost tiny" onClick={() => onDescribe(text)}>
          <Sparkles size={13} aria-hidden /> Describe it
        </button>
      </div>
    </>
  );
}

/** An app says what of it matches; any other entry describes itself. */
function EntryRow({ found: { entry, actions }, isSearch }: { found: Found; isSearch: boolean }) {
  if (entry.app === undefined) {
    const Icon = entry.trigger === undefined ? stepIcon(entry.type) : triggerIcons[entry.trigger];
    return (
      <>
        <Icon size={15} aria-hidden />
        <b>{entry.title}</b>
        <span className="small muted ellipsis">
          {entry.trigger === undefined ? entry.description : `Trigger · ${entry.description}`}
        </span>
      </>
    );
  }
  const { icon, connection } = entry.app;
  const matching = isSearch ? actions.map(({ title }) => title).join(", ") : entry.description;
  return (
    <>
      <AppTile icon={icon} />
      <b>{entry.title}</b>
      {connection === undefined ? (
        <span className="small muted ellipsis grow">{matching}</span>
      ) : (
        <span className="grow">
          <span className="chip dot ok">Connected</span>
        </span>
      )}
      <ChevronRight size={13} aria-hidden />
    </>
  );
}

const KINDS_OF_RESULTS = ["Steps", "Apps", "My workspace", "Triggers"] as const;

function resultKind({ category }: Addable): (typeof KINDS_OF_RESULTS)[number] {
  if (category === "apps") return "Apps";
  if (category === "trigger") return "Triggers";
  return category === "workspace" ? "My workspace" : "Steps";
}

/** Before typing: what fits here and what was used last. A search that finds nothing still offers the HTTP request. */
function groupsOf(
  all: readonly Addable[],
  found: readonly Found[],
  text: string,
  category: Category,
  suggested: readonly string[],
): Group[] {
  const ofTypes = (types: readonly string[]): Found[] =>
    types.flatMap((type) => {
      const entry = all.find(({ key }) => key === type);
      return entry === undefined ? [] : [{ entry, score: 0, actions: entry.app?.actions ?? [] }];
    });
  if (found.length === 0) return [{ title: "Instead", found: ofTypes(["http", "transform"]) }];
  const inCategory = category === "all" ? found : found.filter(({ entry }) => entry.category === category);
  if (text.trim() !== "")
    // The group of the best match comes first, so that Enter inserts it.
    return KINDS_OF_RESULTS.map((title) => ({
      title,
      found: inCategory.filter(({ entry }) => resultKind(entry) === title),
    }))
      .filter((group) => group.found.length > 0)
      .toSorted((a, b) => (b.found[0]?.score ?? 0) - (a.found[0]?.score ?? 0));
  const byCategory = CATEGORIES.map(([key, title]) => ({
    title,
    found: inCategory.filter(({ entry }) => entry.category === key),
  }));
  const recent = recentStepTypes().filter((type) => !suggested.includes(type));
  const first = [
    { title: "Suggested", found: ofTypes(suggested) },
    { title: "Recent", found: ofTypes(recent) },
  ];
  return [...(category === "all" ? first : []), ...byCategory].filter((group) => group.found.length > 0);
}

function nextCategory(category: Category, by: 1 | -1): Category {
  const keys: Category[] = ["all", ...CATEGORIES.map(([key]) => key)];
  return keys[(keys.indexOf(category) + by + keys.length) % keys.length] ?? "all";
}
