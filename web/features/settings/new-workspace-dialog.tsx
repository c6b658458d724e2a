import { useState } from "react";
import { useSwitchWorkspace } from "../../api/accounts.ts";
import { createWorkspace, useWorkspaceMutation } from "../../api/workspaces.ts";
import { TextField } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";

/** Creates a workspace for several people and shows it. */
export function NewWorkspaceDialog({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState("");
  const switchTo = useSwitchWorkspace();
  const create = useWorkspaceMutation(
    () => createWorkspace(name.trim()),
    (id) => {
      onClose();
      void switchTo(id);
    },
  );
  return (
    <FormDialog
      title="New workspace"
      onClose={onClose}
      action={create}
      submit="Create workspace"
      ready={name.trim() !== ""}
    >
      <TextField label="Name" value={name} onChange={setName} placeholder="Northwind Goods" required />
      <p className="small muted">Its workflows, runs, documents and connections belong to all its members.</p>
    </FormDialog>
  );
}
