import { ChevronDown, ChevronRight } from "lucide-react";
import { type KeyboardEvent, type ReactNode, useContext, useState } from "react";
import { pathSegment } from "../../../flow/pickable-values.ts";
import { kindOfValue, kindSigns, kindWords, sampleText } from "../../../flow/value-shape.ts";
import { showToast } from "../../../ui/toasts.tsx";
import { ActiveFieldContext, VALUE_MIME } from "../placeholders/scope-context.ts";

/** At most this many fields of one object or list are listed; an output may have thousands. */
const MAX_CHILDREN = 100;

interface ValueRowProps {
  path: string;
  name: string;
  value: unknown;
  depth: number;
  /** Rows that match the search, and those around them, are open. */
  search: string;
}

/** A value with the values inside it. Dragging or clicking it puts it into a field. */
export function ValueRow({ path, name, value, depth, search }: ValueRowProps) {
  const children = childrenOf(path, value);
  const [isOpen, setIsOpen] = useState(false);
  const insert = useInsert();
  const kind = kindOfValue(value);
  const open = search === "" ? isOpen : children.some((child) => matches(child, search));
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== "ArrowRight" && event.key !== "ArrowLeft") return;
    event.preventDefault();
    event.stopPropagation();
    setIsOpen(event.key === "ArrowRight");
  };
  return (
    <li>
      <div className="value-row" style={{ paddingLeft: 4 + depth * 16 }}>
        {children.length > 0 ? (
          <button
            type="button"
            className="fold-button"
            aria-expanded={open}
            aria-label={`Fields of ${name}`}
            onClick={() => setIsOpen(!open)}
          >
            {open ? <ChevronDown size={12} /> : <ChevronRight size={12} />}
          </button>
        ) : (
          <span className="fold-button" />
        )}
        <button
          type="button"
          className="value-pick"
          draggable
          onDragStart={(event) => {
            event.dataTransfer.setData(VALUE_MIME, path);
            event.dataTransfer.setData("text/plain", `{{${path}}}`);
            event.dataTransfer.effectAllowed = "copy";
          }}
          onClick={() => insert(path)}
          onKeyDown={onKeyDown}
          title={`{{${path}}}`}
        >
          <span className="value-kind" aria-hidden>
            {kindSigns[kind]}
          </span>
          <span className="visually-hidden">{kindWords[kind]}</span>
          <span className="value-name">{name}</span>
          <span className="value-sample">{sampleText(value)}</span>
        </button>
      </div>
      {open && (
        <ul className="plain-list">
          {children
            .filter((child) => search === "" || matches(child, search))
            .map((child) => (
              <ValueRow key={child.path} {...child} depth={depth + 1} search={search} />
            ))}
        </ul>
      )}
    </li>
  );
}

function useInsert(): (path: string) => void {
  const active = useContext(ActiveFieldContext);
  return (path) => {
    if (active.current === null) showToast("Click into a field first, or drag the value into one.");
    else active.current.insert(path);
  };
}

interface Child {
  path: string;
  name: string;
  value: unknown;
}

export function childrenOf(path: string, value: unknown): Child[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value)
    .slice(0, MAX_CHILDREN)
    .map(([key, child]) => ({
      path: `${path}${Array.isArray(value) ? `[${key}]` : pathSegment(key)}`,
      name: Array.isArray(value) ? `[${key}]` : key,
      value: child as unknown,
    }));
}

const MAX_SEARCH_DEPTH = 4;

/** True when the name or the value of a row, or of one inside it, contains the text. */
export function matches(child: Child, search: string, depth = 0): boolean {
  const text = `${child.name} ${sampleText(child.value)}`.toLowerCase();
  if (text.includes(search.toLowerCase())) return true;
  return (
    depth < MAX_SEARCH_DEPTH &&
    childrenOf(child.path, child.value).some((inner) => matches(inner, search, depth + 1))
  );
}

/** A source of values with its title; a click on the title folds it. */
export function ValueGroup({
  title,
  icon,
  aside,
  openByDefault,
  children,
}: {
  title: string;
  icon: ReactNode;
  aside?: ReactNode;
  openByDefault: boolean;
  children: ReactNode;
}) {
  // Undefined until the user folds or unfolds it: a group opens when its values arrive.
  const [chosen, setChosen] = useState<boolean>();
  const isOpen = chosen ?? openByDefault;
  return (
    <section aria-label={title} className="value-group">
      <div className="row value-group-head">
        <button
          type="button"
          className="value-group-title"
          aria-expanded={isOpen}
          onClick={() => setChosen(!isOpen)}
        >
          {isOpen ? <ChevronDown size={12} /> : <ChevronRight size={12} />}
          {icon}
          <b className="ellipsis">{title}</b>
        </button>
        <span className="grow" />
        {aside}
      </div>
      {isOpen && children}
    </section>
  );
}
