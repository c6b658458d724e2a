import { Search, Sparkles } from "lucide-react";
import { PickerActions } from "./picker-actions.tsx";
import { PickerCategories, PickerList } from "./picker-list.tsx";
import { type StepSearchOptions, useStepSearch } from "./use-step-search.ts";

export interface StepSearchProps extends StepSearchOptions {
  /** "Insert between Get order and Over €100?" */
  where: string;
  onDescribe: (text: string) => void;
}

/** The search field of the picker, the steps that match and the actions of the selected app. */
export function StepSearch(props: StepSearchProps) {
  const { where, onPick, onDescribe } = props;
  const search = useStepSearch(props);
  const { text, found, groups, current, category, active, action, isSearch, listId } = search;
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
          aria-activedescendant={current === undefined ? undefined : search.activeId}
          value={text}
          onChange={(event) => search.setText(event.target.value)}
          onKeyDown={search.onKeyDown}
        />
        <span className="small muted ellipsis">{where}</span>
      </div>
      <div className={`picker-body${action === undefined ? "" : " in-actions"}`}>
        <PickerCategories
          found={found}
          isSearch={isSearch}
          category={category}
          onChange={search.setCategory}
        />
        <PickerList
          listId={listId}
          groups={groups}
          active={active}
          isSearch={isSearch}
          onActive={search.select}
          onPick={(entry) => (entry.app === undefined ? onPick(entry) : search.selectAction(0))}
          empty={
            found.length === 0 && (
              <p className="small muted picker-empty">
                No step is called “{text}”. An HTTP request can call any service, or describe what you need.
              </p>
            )
          }
        />
        {current?.entry.app !== undefined ? (
          <PickerActions
            found={current}
            isSearch={isSearch}
            listId={listId}
            active={action}
            onActive={search.selectAction}
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
