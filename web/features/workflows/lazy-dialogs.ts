import { lazyComponent } from "../../ui/lazy-component.ts";

const load = () => import("./workflow-dialogs.tsx");

// Opened from menus: the first screen does not carry them.
export const DeleteWorkflowDialog = lazyComponent(
  async () => ({ DeleteWorkflowDialog: (await load()).DeleteWorkflowDialog }),
  "DeleteWorkflowDialog",
);
export const FolderDialog = lazyComponent(() => import("./folder-dialogs.tsx"), "FolderDialog");
export const MoveDialog = lazyComponent(
  async () => ({ MoveDialog: (await load()).MoveDialog }),
  "MoveDialog",
);
export const TagsDialog = lazyComponent(
  async () => ({ TagsDialog: (await load()).TagsDialog }),
  "TagsDialog",
);
export const SaveTemplateDialog = lazyComponent(
  () => import("../templates/save-template-dialog.tsx"),
  "SaveTemplateDialog",
);
