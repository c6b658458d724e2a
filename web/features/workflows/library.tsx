import { FolderPlus } from "lucide-react";
import { Suspense, useMemo, useState } from "react";
import { useRecentRuns } from "../../api/stats.ts";
import type { WorkflowHead } from "../../api/types.ts";
import { placeWorkflow, useWorkflowMutation, useWorkflows } from "../../api/workflows.ts";
import { Loaded } from "../../ui/states.tsx";
import { useStoredState } from "../../ui/stored-state.ts";
import { useFilter } from "../../ui/use-filter.ts";
import { FolderRows } from "./folder-rows.tsx";
import { LibraryFilter, matches } from "./library-filter.tsx";
import { useTriggers } from "./triggers.tsx";
import { FolderDialog } from "./lazy-dialogs.ts";
import "./workflows.css";
import { Allowed } from "../../ui/allowed.tsx";

const NO_FOLDERS: readonly string[] = [];

/** All workflows in their folders. */
export function Library({ title }: { title?: string }) {
  return <Loaded query={useWorkflows()}>{(list) => <LibraryTable list={list} title={title} />}</Loaded>;
}

function LibraryTable({ list, title }: { list: readonly WorkflowHead[]; title: string | undefined }) {
  const [text, setText] = useFilter("q");
  const [tag, setTag] = useFilter("tag");
  const [status, setStatus] = useFilter("status");
  const [trigger, setTrigger] = useFilter("trigger");
  // A folder exists on the service as long as a workflow is in it; new ones are kept here until then.
  const [created, setCreated] = useStoredState("baton:folders", NO_FOLDERS);
  const [closed, setClosed] = useStoredState("baton:closed-folders", NO_FOLDERS);
  const [isNaming, setNaming] = useState(false);
  const recent = useRecentRuns();
  const triggersOf = useTriggers();
  const move = useWorkflowMutation(({ id, folder }: { id: string; folder: string }) =>
    placeWorkflow(id, { folder }),
  );
  const filter = { text, tag, status, trigger };
  const isFiltered = Object.values(filter).some((value) => value !== "");
  const shown = list.filter((workflow) => matches(workflow, triggersOf(workflow), filter));
  const used = useMemo(() => new Set(list.map(({ folder }) => folder)), [list]);
  const folders = [...new Set([...used, ...created])]
    .filter((name) => name !== "")
    .toSorted((a, b) => a.localeCompare(b));
  const rowProps = { recent, triggersOf, folders, onTag: setTag };
  const inFolder = (name: string): WorkflowHead[] => shown.filter(({ folder }) => folder === name);

  return (
    <section className="card library" aria-label="Workflows">
      <header className="library-head">
        {title !== undefined && <h2>{title}</h2>}
        <LibraryFilter
          {...filter}
          tags={[...new Set(list.flatMap(({ tags }) => tags))].toSorted()}
          onText={setText}
          onTag={setTag}
          onStatus={setStatus}
          onTrigger={setTrigger}
        />
        <span className="grow" />
        <Allowed to="createFolder">
          <button type="button" className="btn ghost" onClick={() => setNaming(true)}>
            <FolderPlus size={14} /> New folder
          </button>
        </Allowed>
      </header>
      <div className="scroll-x">
        <table className="table">
          <thead>
            <tr>
              <th>Name</th>
              <th>Active</th>
              <th className="wide-only">Version</th>
              <th className="wide-only nowrap">Last 20 runs</th>
              <th className="wide-only">Success</th>
              <th className="nowrap">Last run</th>
              <th>
                <span className="visually-hidden">Actions</span>
              </th>
            </tr>
          </thead>
          {folders.map((name) => (
            <FolderRows
              key={name}
              {...rowProps}
              name={name}
              list={inFolder(name)}
              total={list.filter(({ folder }) => folder === name).length}
              isHidden={isFiltered && inFolder(name).length === 0}
              isOpen={isFiltered || !closed.includes(name)}
              onToggle={() =>
                setClosed(closed.includes(name) ? closed.filter((each) => each !== name) : [...closed, name])
              }
              onRenamed={(to) => setCreated(created.map((each) => (each === name ? to : each)))}
              onRemoved={() => setCreated(created.filter((each) => each !== name))}
              onDrop={(id) => move.mutate({ id, folder: name })}
            />
          ))}
          <FolderRows
            {...rowProps}
            name=""
            list={inFolder("")}
            total={inFolder("").length}
            hasTitle={folders.length > 0}
            isHidden={inFolder("").length === 0}
            isOpen
            onDrop={(id) => move.mutate({ id, folder: "" })}
          />
        </table>
      </div>
      {shown.length === 0 && isFiltered && <p className="library-note muted">No matching workflows.</p>}
      {isNaming && (
        <Suspense fallback={null}>
          <FolderDialog
            onDone={(name) => setCreated([...new Set([...created, name])])}
            onClose={() => setNaming(false)}
          />
        </Suspense>
      )}
    </section>
  );
}
