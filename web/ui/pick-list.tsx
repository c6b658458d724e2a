import { type ReactNode, useEffect, useId, useState } from "react";
import { groupBy } from "../flow/group-by.ts";
import "./styles/pick-list.css";

export interface PickItem {
  key: string;
  title: string;
  detail?: ReactNode;
  icon?: ReactNode;
  /** The heading above it; the items of a group follow each other. */
  group?: string;
}

interface PickListProps {
  label: string;
  /** The label by default. */
  placeholder?: string;
  text: string;
  onText: (text: string) => void;
  items: readonly PickItem[];
  onPick: (key: string) => void;
  /** Shown when nothing matches. */
  emptyMessage: string;
}

/** A search field with a list of matches, operated with the arrow keys and Enter. */
export function PickList({
  label,
  placeholder = label,
  text,
  onText,
  items,
  onPick,
  emptyMessage,
}: PickListProps) {
  const [active, setActive] = useState(0);
  const listId = useId();
  useEffect(() => setActive(0), [text]);
  useEffect(() => {
    // In braces: newer browsers return a promise, which React would treat as a cleanup function.
    document.getElementById(`${listId}-${active}`)?.scrollIntoView({ block: "nearest" });
  }, [active, listId]);

  const indexed = items.map((item, index) => [item, index] as const);

  function onKeyDown(event: React.KeyboardEvent): void {
    if (event.key === "ArrowDown") setActive(Math.min(active + 1, items.length - 1));
    else if (event.key === "ArrowUp") setActive(Math.max(active - 1, 0));
    else if (event.key === "Enter") {
      const item = items[active];
      if (item !== undefined) onPick(item.key);
    } else return;
    event.preventDefault();
  }

  return (
    <div className="pick">
      <input
        className="in"
        aria-label={label}
        placeholder={placeholder}
        role="combobox"
        aria-expanded="true"
        aria-controls={listId}
        aria-activedescendant={items.length > 0 ? `${listId}-${active}` : undefined}
        value={text}
        onChange={(event) => onText(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <div id={listId} role="listbox" aria-label={label} className="pick-items">
        {[...groupBy(indexed, ([item]) => item.group)].map(([group, members]) => {
          const options = members.map(([item, index]) => (
            <div
              key={item.key}
              id={`${listId}-${index}`}
              role="option"
              aria-selected={index === active}
              className="pick-item"
              onMouseMove={() => setActive(index)}
              onClick={() => onPick(item.key)}
            >
              {item.icon}
              <b>{item.title}</b>
              {item.detail !== undefined && <span className="muted small ellipsis">{item.detail}</span>}
            </div>
          ));
          if (group === undefined) return options;
          return (
            <div key={group} role="group" aria-label={group} className="pick-group">
              <div className="caps" aria-hidden>
                {group}
              </div>
              {options}
            </div>
          );
        })}
      </div>
      {items.length === 0 && <p className="muted small">{emptyMessage}</p>}
    </div>
  );
}
