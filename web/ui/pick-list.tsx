import { type ReactNode, useEffect, useId, useState } from "react";
import "./styles/pick-list.css";

export interface PickItem {
  key: string;
  title: string;
  detail?: ReactNode;
  icon?: ReactNode;
}

interface PickListProps {
  label: string;
  text: string;
  onText: (text: string) => void;
  items: readonly PickItem[];
  onPick: (key: string) => void;
  none: string;
}

/** A field and a list under it, walked with the arrows: the one way to choose on this page. */
export function PickList({ label, text, onText, items, onPick, none }: PickListProps) {
  const [at, setAt] = useState(0);
  const listId = useId();
  useEffect(() => setAt(0), [text]);
  useEffect(() => {
    // Braces on purpose: newer browsers return a promise here, which React would take for a clean-up.
    document.getElementById(`${listId}-${at}`)?.scrollIntoView({ block: "nearest" });
  }, [at, listId]);

  function onKeyDown(event: React.KeyboardEvent): void {
    if (event.key === "ArrowDown") setAt(Math.min(at + 1, items.length - 1));
    else if (event.key === "ArrowUp") setAt(Math.max(at - 1, 0));
    else if (event.key === "Enter") {
      const chosen = items[at];
      if (chosen !== undefined) onPick(chosen.key);
    } else return;
    event.preventDefault();
  }

  return (
    <div className="pick">
      <input
        className="in"
        aria-label={label}
        placeholder={label}
        role="combobox"
        aria-expanded="true"
        aria-controls={listId}
        aria-activedescendant={items.length > 0 ? `${listId}-${at}` : undefined}
        value={text}
        onChange={(event) => onText(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <div id={listId} role="listbox" aria-label={label} className="pick-items">
        {items.map((item, index) => (
          <div
            key={item.key}
            id={`${listId}-${index}`}
            role="option"
            aria-selected={index === at}
            className="pick-item"
            onMouseMove={() => setAt(index)}
            onClick={() => onPick(item.key)}
          >
            {item.icon}
            <b>{item.title}</b>
            {item.detail !== undefined && <span className="muted small ellipsis">{item.detail}</span>}
          </div>
        ))}
      </div>
      {items.length === 0 && <p className="muted small">{none}</p>}
    </div>
  );
}
