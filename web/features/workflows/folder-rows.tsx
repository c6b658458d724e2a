import { ChevronDown, ChevronRight, Folder, MoreHorizontal, Pencil, Trash2 } from "lucide-react";
import { type DragEvent, Suspense, useState } from "react";
import type { RecentRuns } from "../../api/stats.ts";
import type { WorkflowHead } from "../../api/types.ts";
import { renameFolder, useWorkflowMutation } from "../../api/workflows.ts";
import { LazyMenu } from "../../ui/lazy-menu.tsx";
import type { TriggerKind } from "./triggers.tsx";
import { FolderDialog } from "./lazy-dialogs.ts";
import { DRAG_TYPE, WorkflowRow } from "./workflow-row.tsx";

interface FolderRowsProps {
  /** Empty for workflows in no folder. */
  name: string;
  /** The workflows that match the filter. */
  list: readonly WorkflowHead[];
  total: number;
  recent: ReadonlyMap<string, RecentRuns> | undefined;
  triggersOf: (workflow: WorkflowHead) => TriggerKind[];
  folders: readonly string[];
  isOpen: boolean;
  isHidden: boolean;
  hasTitle?: boolean;
  onTag: (tag: string) => void;
  onToggle?: () => void;
  onRenamed?: (to: string) => void;
  onRemoved?: () => void;
  onDrop: (workflowId: string) => void;
}

const COLUMNS = 7;
/** A longer folder is shown part by part: every row has a menu. */
const ROWS_AT_ONCE = 100;

/** The head of a folder and its workflows. A workflow dropped on it moves there. */
export function FolderRows(props: FolderRowsProps) {
  const { name, list, total, recent, triggersOf, folders, isOpen, isHidden, hasTitle = true, onDrop } = props;
  const [isTarget, setTarget] = useState(false);
  const [limit, setLimit] = useState(ROWS_AT_ONCE);
  if (isHidden) return null;

  const onDragOver = (event: DragEvent): void => {
    if (!event.dataTransfer.types.includes(DRAG_TYPE)) return;
    event.preventDefault();
    setTarget(true);
  };
  return (
    <tbody
      className={isTarget ? "folder drop-target" : "folder"}
      onDragOver={onDragOver}
      onDragLeave={() => setTarget(false)}
      onDrop={(event) => {
        setTarget(false);
        const id = event.dataTransfer.getData(DRAG_TYPE);
        if (id === "") return;
        event.preventDefault();
        onDrop(id);
      }}
    >
      {hasTitle && (
        <tr className="folder-head">
          <th colSpan={COLUMNS} scope="rowgroup">
            <FolderHead {...props} total={total} />
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
      {isOpen && total === 0 && name !== "" && (
        <tr>
          <td colSpan={COLUMNS} className="muted small">
            Empty. Drag a workflow here, or choose “Move to folder” in its menu.
          </td>
        </tr>
      )}
    </tbody>
  );
}

function FolderHead({ name, total, isOpen, onToggle, onRenamed, onRemoved }: FolderRowsProps) {
  const [isRenaming, setRenaming] = useState(false);
  const dissolve = useWorkflowMutation(() => renameFolder({ from: name, to: "" }), onRemoved);
  const count = `${total} ${total === 1 ? "workflow" : "workflows"}`;
  if (name === "")
    return (
      <span className="row small">
        No folder <span className="muted">{count}</span>
      </span>
    );
  return (
    <span className="row">
      <button type="button" className="folder-toggle" aria-expanded={isOpen} onClick={onToggle}>
        {isOpen ? <ChevronDown size={13} /> : <ChevronRight size={13} />}
        <Folder size={14} /> {name} <span className="muted small">{count}</span>
      </button>
      <span className="grow" />
      <LazyMenu
        trigger={
          <button type="button" className="btn ghost icon" aria-label={`Actions of folder ${name}`}>
            <MoreHorizontal size={15} />
          </button>
        }
        groups={[
          [
            {
              label: "Rename",
              may: "renameFolder",
              icon: <Pencil size={14} />,
              onSelect: () => setRenaming(true),
            },
            {
              label: "Remove folder, keep workflows",
              may: "renameFolder",
              icon: <Trash2 size={14} />,
              onSelect: () => dissolve.mutate(undefined),
            },
          ],
        ]}
      />
      {isRenaming && (
        <Suspense fallback={null}>
          <FolderDialog folder={name} onDone={(to) => onRenamed?.(to)} onClose={() => setRenaming(false)} />
        </Suspense>
      )}
    </span>
  );
}
