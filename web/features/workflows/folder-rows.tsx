import { ChevronDown, ChevronRight, Folder, MoreHorizontal } from "lucide-react";
import { type CSSProperties, type DragEvent, useState } from "react";
import { useMay } from "../../api/permissions.ts";
import type { RecentRuns } from "../../api/stats.ts";
import type { WorkflowHead } from "../../api/types.ts";
import { lazyComponent } from "../../ui/lazy-component.ts";
import { LoadOnOpen } from "../../ui/lazy-menu.tsx";
import type { TriggerKind } from "./triggers.tsx";
import { DRAG_TYPE, WorkflowRow } from "./workflow-row.tsx";

const loadMenu = () => import("./folder-menu.tsx");
const FolderMenu = lazyComponent(loadMenu, "FolderMenu");

/** What a drag carries: the id of a workflow or the path of a folder. */
const FOLDER_DRAG_TYPE = "application/x-baton-folder";
export type Dropped = { kind: "workflow"; id: string } | { kind: "folder"; path: string };

interface FolderRowsProps {
  /** Empty for workflows in no folder. */
  path: string;
  name: string;
  depth: number;
  /** The workflows in it that match the filter. */
  list: readonly WorkflowHead[];
  /** With those of its subfolders. */
  total: number;
  recent: ReadonlyMap<string, RecentRuns> | undefined;
  triggersOf: (workflow: WorkflowHead) => TriggerKind[];
  folders: readonly string[];
  isOpen: boolean;
  isHidden: boolean;
  hasTitle?: boolean;
  onTag: (tag: string) => void;
  onToggle?: () => void;
  onDrop: (dropped: Dropped, into: string) => void;
}

const COLUMNS = 7;
/** A longer folder is shown part by part: every row has a menu. */
const ROWS_AT_ONCE = 100;

/** The head of a folder and its workflows. A workflow or folder dropped on it moves there. */
export function FolderRows(props: FolderRowsProps) {
  const {
    path,
    depth,
    list,
    total,
    recent,
    triggersOf,
    folders,
    isOpen,
    isHidden,
    hasTitle = true,
    onDrop,
  } = props;
  const [isTarget, setTarget] = useState(false);
  const [limit, setLimit] = useState(ROWS_AT_ONCE);
  if (isHidden) return null;

  const onDragOver = (event: DragEvent): void => {
    const { types } = event.dataTransfer;
    if (!types.includes(DRAG_TYPE) && !types.includes(FOLDER_DRAG_TYPE)) return;
    event.preventDefault();
    setTarget(true);
  };
  return (
    <tbody
      className={isTarget ? "folder drop-target" : "folder"}
      style={{ "--depth": depth } as CSSProperties}
      onDragOver={onDragOver}
      onDragLeave={() => setTarget(false)}
      onDrop={(event) => {
        setTarget(false);
        const dropped = readDropped(event.dataTransfer);
        if (dropped === undefined) return;
        event.preventDefault();
        onDrop(dropped, path);
      }}
    >
      {hasTitle && (
        <tr className="folder-head">
          <th colSpan={COLUMNS} scope="rowgroup">
            <FolderHead {...props} />
          </th>
        </tr>
      )}
      {isOpen &&
        list
          .slice(0, limit)
          .map((workflow) => (
            <WorkflowRow
              key={workflow.id}
              workflow={workflow}
              triggers={triggersOf(workflow)}
              recent={recent?.get(workflow.id)}
              folders={folders}
              onTag={props.onTag}
            />
          ))}
      {isOpen && list.length > limit && (
        <tr>
          <td colSpan={COLUMNS}>
            <button type="button" className="btn" onClick={() => setLimit(limit + ROWS_AT_ONCE)}>
              Show more
            </button>
          </td>
        </tr>
      )}
      {isOpen && total === 0 && path !== "" && (
        <tr>
          <td colSpan={COLUMNS} className="muted small">
            Empty. Drag a workflow here, or choose “Move to folder” in its menu.
          </td>
        </tr>
      )}
    </tbody>
  );
}

function readDropped(data: DataTransfer): Dropped | undefined {
  const id = data.getData(DRAG_TYPE);
  if (id !== "") return { kind: "workflow", id };
  const path = data.getData(FOLDER_DRAG_TYPE);
  return path === "" ? undefined : { kind: "folder", path };
}

function FolderHead({ path, name, total, folders, isOpen, onToggle }: FolderRowsProps) {
  const mayChange = useMay()("renameFolder");
  const count = `${total} ${total === 1 ? "workflow" : "workflows"}`;
  if (path === "")
    return (
      <span className="row small">
        No folder <span className="muted">{count}</span>
      </span>
    );
  const menuButton = (
    <button type="button" className="btn ghost icon" aria-label={`Actions of folder ${path}`}>
      <MoreHorizontal size={15} />
    </button>
  );
  return (
    <span
      className="row"
      draggable={mayChange}
      onDragStart={(event) => {
        event.dataTransfer.setData(FOLDER_DRAG_TYPE, path);
        event.dataTransfer.effectAllowed = "move";
      }}
    >
      <button type="button" className="folder-toggle" aria-expanded={isOpen} onClick={onToggle}>
        {isOpen ? <ChevronDown size={13} /> : <ChevronRight size={13} />}
        <Folder size={14} /> {name} <span className="muted small">{count}</span>
      </button>
      <span className="grow" />
      {mayChange && (
        <LoadOnOpen trigger={menuButton} load={loadMenu}>
          <FolderMenu trigger={menuButton} path={path} folders={folders} />
        </LoadOnOpen>
      )}
    </span>
  );
}
