import { FolderInput, FolderPlus, Pencil, Trash2 } from "lucide-react";
import { type ReactElement, Suspense, useState } from "react";
import { Menu } from "../../ui/menu.tsx";
import type { FolderAction } from "./folder-dialogs.tsx";
import { FolderDialog } from "./lazy-dialogs.ts";

interface FolderMenuProps {
  trigger: ReactElement;
  path: string;
  folders: readonly string[];
}

/** The actions of a folder, shown when its button is pressed. */
export function FolderMenu({ trigger, path, folders }: FolderMenuProps) {
  const [action, setAction] = useState<FolderAction>();
  return (
    <>
      <Menu
        trigger={trigger}
        defaultOpen
        groups={[
          [
            {
              label: "New subfolder",
              icon: <FolderPlus size={14} />,
              onSelect: () => setAction("create"),
            },
            { label: "Rename", icon: <Pencil size={14} />, onSelect: () => setAction("rename") },
            { label: "Move", icon: <FolderInput size={14} />, onSelect: () => setAction("move") },
          ],
          [
            {
              label: "Delete, keep workflows",
              icon: <Trash2 size={14} />,
              danger: true,
              onSelect: () => setAction("delete"),
            },
          ],
        ]}
      />
      {action !== undefined && (
        <Suspense fallback={null}>
          <FolderDialog action={action} path={path} folders={folders} onClose={() => setAction(undefined)} />
        </Suspense>
      )}
    </>
  );
}
