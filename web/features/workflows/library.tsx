import { FolderPlus } from "lucide-react";
import { Suspense, useMemo, useState } from "react";
import { useRecentRuns } from "../../api/stats.ts";
import type { WorkflowHead } from "../../api/types.ts";
import {
  placeWorkflow,
  renameFolder,
  useFolders,
  useWorkflowMutation,
  useWorkflows,
} from "../../api/workflows.ts";
import { folderName, folderTree, isInFolder, joinFolder, parentFolder } from "../../flow/folder-tree.ts";
import { Loaded } from "../../ui/states.tsx";
import { useStoredState } from "../../ui/stored-state.ts";
import { useFilter } from "../../ui/use-filter.ts";
import { type Dropped, FolderRows } from "./folder-rows.tsx";
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
  const [closed, setClosed] = useStoredState("baton:closed-folders", NO_FOLDERS);
  const [isNaming, setNaming] = useState(false);
  const recent = useRecentRuns();
  const triggersOf = useTriggers();
  const drop = useDrop();
  const filter = { text, tag, status, trigger };
  const isFiltered = Object.values(filter).some((value) => value !== "");
  const shown = list.filter((workflow) => matches(workflow, triggersOf(workflow), filter));
  const created = useFolders().data;
  const tree = useMemo(
    () => folderTree([...list.map(({ folder }) => folder), ...(created ?? [])]),
    [list, created],
  );
  const folders = tree.map(({ path }) => path);
  const rowProps = { recent, triggersOf, folders, onTag: setTag, onDrop: drop };
  const inFolder = (path: string): WorkflowHead[] => shown.filter(({ folder }) => folder === path);
  const isShown = (path: string): boolean =>
    isFiltered
      ? shown.some(({ folder }) => isInFolder(folder, path))
      : !closed.some((other) => other !== path && isInFolder(path, other));

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
          <LibraryColumns />
          {tree.map(({ path, name, depth }) => (
            <FolderRows
              key={path}
              {...rowProps}
              path={path}
              name={name}
              depth={depth}
              list={inFolder(path)}
              total={list.filter(({ folder }) => isInFolder(folder, path)).length}
              isHidden={!isShown(path)}
              isOpen={isFiltered || !closed.includes(path)}
              onToggle={() =>
                setClosed(closed.includes(path) ? closed.filter((each) => each !== path) : [...closed, path])
              }
            />
          ))}
          <FolderRows
            {...rowProps}
            path=""
            name=""
            depth={0}
            list={inFolder("")}
            total={inFolder("").length}
            hasTitle={folders.length > 0}
            isHidden={inFolder("").length === 0}
            isOpen
          />
        </table>
      </div>
      {shown.length === 0 && isFiltered && <p className="library-note muted">No matching workflows.</p>}
      {isNaming && (
        <Suspense fallback={null}>
          <FolderDialog action="create" path="" folders={folders} onClose={() => setNaming(false)} />
        </Suspense>
      )}
    </section>
  );
}

function LibraryColumns() {
  return (
    <thead>
      <tr>
        <th>Name</th>
        <th>Active</th>
        <th className="wide-only library-more">Version</th>
        <th className="wide-only nowrap">Last 20 runs</th>
        <th className="wide-only library-more">Success</th>
        <th className="nowrap">Last run</th>
        <th>
          <span className="visually-hidden">Actions</span>
        </th>
      </tr>
    </thead>
  );
}

/** Moves a workflow or a folder that was dropped on a folder, or on the workflows in none. */
function useDrop(): (dropped: Dropped, into: string) => void {
  const move = useWorkflowMutation(({ id, folder }: { id: string; folder: string }) =>
    placeWorkflow(id, { folder }),
  );
  const moveFolder = useWorkflowMutation(renameFolder);
  return (dropped, into) => {
    if (dropped.kind === "workflow") move.mutate({ id: dropped.id, folder: into });
    else if (!isInFolder(into, dropped.path) && parentFolder(dropped.path) !== into)
      moveFolder.mutate({ from: dropped.path, to: joinFolder(into, folderName(dropped.path)) });
  };
}
