import { lazyComponent } from "../../ui/lazy-component.ts";

const load = () => import("./workflow-dialogs.tsx");

// Opened from menus: the first screen does not carry them.
export const DeleteDialog = lazyComponent(
  async () => ({ DeleteDialog: (await load()).DeleteDialog }),
  "DeleteDialog",
);
export const FolderDialog = lazyComponent(
  async () => ({ FolderDialog: (await load()).FolderDialog }),
  "FolderDialog",
);
export const MoveDialog = lazyComponent(
  async () => ({ MoveDialog: (await load()).MoveDialog }),
  "MoveDialog",
);
export const TagsDialog = lazyComponent(
  async () => ({ TagsDialog: (await load()).TagsDialog }),
  "TagsDialog",
);
