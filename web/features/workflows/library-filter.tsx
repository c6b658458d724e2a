import { useRef } from "react";
import type { WorkflowHead } from "../../api/types.ts";
import { useShortcuts } from "../../ui/shortcuts.ts";
import { TRIGGERS, type TriggerKind } from "./triggers.tsx";

export interface LibraryFilterValues {
  text: string;
  tag: string;
  /** "active", "paused", "draft" or empty. */
  status: string;
  trigger: string;
}

interface LibraryFilterProps extends LibraryFilterValues {
  tags: readonly string[];
  onText: (text: string) => void;
  onTag: (tag: string) => void;
  onStatus: (status: string) => void;
  onTrigger: (trigger: string) => void;
}

export function LibraryFilter(props: LibraryFilterProps) {
  const search = useRef<HTMLInputElement>(null);
  useShortcuts({
    f: (event) => {
      event.preventDefault();
      search.current?.focus();
    },
  });
  return (
    <>
      <input
        ref={search}
        className="in library-search"
        type="search"
        aria-label="Search workflows"
        aria-keyshortcuts="f"
        placeholder="Filter"
        value={props.text}
        onChange={(event) => props.onText(event.target.value)}
      />
      {(props.tags.length > 0 || props.tag !== "") && (
        <Choice
          label="Tag"
          all="All tags"
          value={props.tag}
          onChange={props.onTag}
          options={props.tags.map((tag) => [tag, tag])}
        />
      )}
      <Choice
        label="Status"
        all="Any status"
        value={props.status}
        onChange={props.onStatus}
        options={[
          ["active", "Active"],
          ["paused", "Paused"],
          ["draft", "With draft"],
        ]}
      />
      <Choice
        label="Trigger"
        all="Any trigger"
        value={props.trigger}
        onChange={props.onTrigger}
        options={Object.entries(TRIGGERS).map(([kind, { label }]) => [kind, label])}
      />
    </>
  );
}

interface ChoiceProps {
  label: string;
  all: string;
  value: string;
  onChange: (value: string) => void;
  options: readonly (readonly [value: string, label: string])[];
}

function Choice({ label, all, value, onChange, options }: ChoiceProps) {
  return (
    <select
      className="in library-choice"
      aria-label={label}
      value={value}
      onChange={(event) => onChange(event.target.value)}
    >
      <option value="">{all}</option>
      {options.map(([option, text]) => (
        <option key={option} value={option}>
          {text}
        </option>
      ))}
    </select>
  );
}

export function matches(
  { name, description, tags, active, draft, folder }: WorkflowHead,
  triggers: readonly TriggerKind[],
  filter: LibraryFilterValues,
): boolean {
  const text = filter.text.toLowerCase();
  return (
    `${name}\n${description}\n${folder}\n${tags.join("\n")}`.toLowerCase().includes(text) &&
    (filter.tag === "" || tags.includes(filter.tag)) &&
    (filter.trigger === "" || triggers.includes(filter.trigger as TriggerKind)) &&
    (filter.status === "" ||
      (filter.status === "draft" ? draft !== undefined : active === (filter.status === "active")))
  );
}
