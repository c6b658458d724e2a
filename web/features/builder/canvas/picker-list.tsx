import { ChevronRight } from "lucide-react";
import type { ReactNode } from "react";
import type { PickerCategory, PickerGroup } from "../../../flow/picker-groups.ts";
import { type Addable, CATEGORIES, type Found } from "../../../flow/search-steps.ts";
import { AppTile } from "../../../ui/app-tile.tsx";
import { stepIcon } from "../../canvas/step-icons.ts";
import { triggerIcons } from "../../canvas/trigger-node.tsx";

interface PickerCategoriesProps {
  found: readonly Found[];
  isSearch: boolean;
  category: PickerCategory;
  onChange: (category: PickerCategory) => void;
}

export function PickerCategories({ found, isSearch, category, onChange }: PickerCategoriesProps) {
  const countOf = (key: PickerCategory): number =>
    key === "all" ? found.length : found.filter(({ entry }) => entry.category === key).length;
  return (
    <div className="picker-categories" role="group" aria-label="Categories">
      {([["all", isSearch ? "All results" : "All steps"], ...CATEGORIES] as const).map(([key, title]) => (
        <button
          key={key}
          type="button"
          tabIndex={-1}
          aria-pressed={category === key}
          onClick={() => onChange(key)}
        >
          <span className="grow">{title}</span> <span className="muted">{countOf(key)}</span>
        </button>
      ))}
    </div>
  );
}

interface PickerListProps {
  listId: string;
  groups: readonly PickerGroup[];
  /** The index of the selected entry, counted over all groups. */
  active: number;
  isSearch: boolean;
  onActive: (index: number) => void;
  onPick: (entry: Addable) => void;
  empty: ReactNode;
}

export function PickerList({ listId, groups, active, isSearch, onActive, onPick, empty }: PickerListProps) {
  let index = -1;
  return (
    <div id={listId} role="listbox" aria-label="Steps" className="picker-list">
      {groups.map((group) => (
        <div key={group.title} role="group" aria-label={group.title}>
          <div className="picker-group" aria-hidden>
            {group.title}
          </div>
          {group.found.map((found) => {
            index += 1;
            const at = index;
            return (
              <div
                key={found.entry.key}
                id={`${listId}-${at}`}
                role="option"
                aria-selected={at === active}
                className="picker-item"
                onMouseMove={() => at !== active && onActive(at)}
                onClick={() => onPick(found.entry)}
              >
                <EntryRow found={found} isSearch={isSearch} />
              </div>
            );
          })}
        </div>
      ))}
      {empty}
    </div>
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
