import { ArrowLeft } from "lucide-react";
import type { Addable, Found } from "../../../flow/search-steps.ts";
import { AppTile } from "../../../ui/app-tile.tsx";

interface PickerActionsProps {
  found: Found;
  isSearch: boolean;
  listId: string;
  /** The index of the action that the keys have reached; undefined while they are in the list of steps. */
  active: number | undefined;
  onActive: (index: number | undefined) => void;
  onPick: (action: Addable) => void;
}

/** The actions of an app in the order of the list: those that match, then the others. */
export function actionsOf({ entry, actions }: Found): Addable[] {
  const others = (entry.app?.actions ?? []).filter((action) => !actions.includes(action));
  return [...actions, ...others];
}

/** The actions of the app that is looked at. */
export function PickerActions({ found, isSearch, listId, active, onActive, onPick }: PickerActionsProps) {
  const { entry, actions } = found;
  const all = actionsOf(found);
  if (entry.app === undefined) return null;
  const { icon, connection } = entry.app;
  const count =
    actions.length === all.length || !isSearch
      ? `${all.length} ${all.length === 1 ? "action" : "actions"}`
      : undefined;
  return (
    <div className="picker-detail">
      <div className="row picker-app">
        <button
          type="button"
          className="btn ghost icon picker-back"
          aria-label="Back to the list"
          onClick={() => onActive(undefined)}
        >
          <ArrowLeft size={15} />
        </button>
        <AppTile icon={icon} size="large" />
        <div>
          <b>{entry.title}</b>
          <div className="xs muted">{count ?? `${actions.length} of ${all.length} actions match`}</div>
        </div>
      </div>
      <div id={`${listId}-actions`} role="listbox" aria-label={`Actions of ${entry.title}`}>
        {all.map((action, index) => (
          <div
            key={action.key}
            id={`${listId}-action-${index}`}
            role="option"
            aria-selected={index === active}
            title={action.description}
            className={`picker-action${index === 0 && active === undefined ? " first" : ""}${
              index >= actions.length ? " other" : ""
            }`}
            onMouseMove={() => onActive(index)}
            onClick={() => onPick(action)}
          >
            <span className="grow">{action.title}</span>
            {(active === undefined ? index === 0 : index === active) && <span aria-hidden>↵</span>}
          </div>
        ))}
      </div>
      <p className="xs muted">
        {connection === undefined
          ? `Connect ${entry.title} in the step.`
          : `Uses ${connection.name}. You can change the connection in the step.`}
      </p>
    </div>
  );
}
