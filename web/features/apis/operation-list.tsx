import { useState } from "react";
import { type ApiOperation, updateApi, useApiAppMutation, useOperations } from "../../api/apis.ts";
import { Failure, Loaded } from "../../ui/states.tsx";
import "./apis.css";

/** Rows that are shown at first: a document may have two thousand. */
const FEW = 100;

/** What the document offers, and which of it the step picker shows. */
export function OperationList({ id, hidden: stored }: { id: string; hidden: readonly string[] }) {
  const operations = useOperations(id);
  return (
    <section className="stack tight" aria-label="Operations">
      <Loaded query={operations} rows={3}>
        {({ operations: list, refused }) => (
          <>
            <Choice id={id} stored={stored} list={list} />
            {refused.length > 0 && (
              <details>
                <summary className="small">{refused.length} cannot be actions</summary>
                <ul className="plain-list small api-refused">
                  {refused.map(({ operation, reason }) => (
                    <li key={operation}>
                      <code className="breakable">{operation}</code> <span className="muted">{reason}</span>
                    </li>
                  ))}
                </ul>
              </details>
            )}
          </>
        )}
      </Loaded>
    </section>
  );
}

function Choice({
  id,
  stored,
  list,
}: {
  id: string;
  stored: readonly string[];
  list: readonly ApiOperation[];
}) {
  const [hidden, setHidden] = useState<ReadonlySet<string>>(() => new Set(stored));
  const [search, setSearch] = useState("");
  const [isAll, setAll] = useState(false);
  const save = useApiAppMutation((ids: string[]) => updateApi(id, { hidden: ids }));
  const found = list.filter((operation) => isFound(operation, search));
  const change = (ids: readonly string[], isShown: boolean): void => {
    const next = new Set(hidden);
    for (const one of ids)
      if (isShown) next.delete(one);
      else next.add(one);
    setHidden(next);
    save.mutate([...next]);
  };
  const isAnyHidden = found.some((one) => hidden.has(one.id));
  return (
    <>
      <div className="row">
        <h3 className="grow">
          {list.length - hidden.size} of {list.length} actions shown
        </h3>
        {found.length > 0 && (
          <button
            type="button"
            className="link-button small"
            onClick={() =>
              change(
                found.map((one) => one.id),
                isAnyHidden,
              )
            }
          >
            {isAnyHidden ? "Show all" : "Hide all"}
            {search === "" ? "" : " found"}
          </button>
        )}
      </div>
      <input
        className="in"
        type="search"
        aria-label="Search operations"
        placeholder="Search operations"
        value={search}
        onChange={(event) => setSearch(event.target.value)}
      />
      {found.length === 0 && <p className="small muted">No operation has these words.</p>}
      <ul className="plain-list api-operations">
        {(isAll ? found : found.slice(0, FEW)).map(({ id: action, title, method, path, description }) => (
          <li key={action}>
            <label className="row" title={description}>
              <input
                type="checkbox"
                checked={!hidden.has(action)}
                onChange={(event) => change([action], event.target.checked)}
              />
              <span className="grow">
                <span className="small">{title}</span>
                <span className="xs muted mono api-path">
                  {method} {path}
                </span>
              </span>
            </label>
          </li>
        ))}
      </ul>
      {!isAll && found.length > FEW && (
        <button type="button" className="btn tiny" onClick={() => setAll(true)}>
          Show {found.length - FEW} more
        </button>
      )}
      {save.error !== null && <Failure error={save.error} />}
    </>
  );
}

function isFound({ title, path, method, tags, description }: ApiOperation, search: string): boolean {
  const text = [title, path, method, description, ...tags].join(" ").toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
