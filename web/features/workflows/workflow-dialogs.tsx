import { useId, useState } from "react";
import type { WorkflowHead } from "../../api/types.ts";
import { deleteWorkflow, placeWorkflow, renameFolder, useWorkflowMutation } from "../../api/workflows.ts";
import { DeleteDialog } from "../../ui/delete-dialog.tsx";
import { Field, TextField } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { splitCommas } from "../../ui/split-commas.ts";

interface WorkflowDialogProps {
  workflow: WorkflowHead;
  onClose: () => void;
}

export function MoveDialog({
  workflow,
  folders,
  onClose,
}: WorkflowDialogProps & { folders: readonly string[] }) {
  const [folder, setFolder] = useState(workflow.folder);
  const move = useWorkflowMutation(() => placeWorkflow(workflow.id, { folder }), onClose);
  const listId = useId();
  return (
    <FormDialog title={`Move “${workflow.name}”`} onClose={onClose} action={move} submit="Move">
      <Field label="Folder" hint="Empty for no folder. A new name creates the folder.">
        {(ids) => (
          <>
            <input
              className="in"
              {...ids}
              list={listId}
              maxLength={100}
              value={folder}
              onChange={(event) => setFolder(event.target.value)}
            />
            <datalist id={listId}>
              {folders.map((name) => (
                <option key={name} value={name} />
              ))}
            </datalist>
          </>
        )}
      </Field>
    </FormDialog>
  );
}

export function TagsDialog({ workflow, onClose }: WorkflowDialogProps) {
  const [text, setText] = useState(workflow.tags.join(", "));
  const save = useWorkflowMutation(() => placeWorkflow(workflow.id, { tags: splitCommas(text) }), onClose);
  return (
    <FormDialog title={`Tags of “${workflow.name}”`} onClose={onClose} action={save} submit="Save">
      <TextField label="Tags" value={text} onChange={setText} hint="Comma-separated, at most 20" />
    </FormDialog>
  );
}

export function DeleteWorkflowDialog({ workflow, onClose }: WorkflowDialogProps) {
  const remove = useWorkflowMutation(() => deleteWorkflow(workflow.id), onClose);
  return (
    <DeleteDialog name={workflow.name} onClose={onClose} action={remove}>
      <p>The workflow and its version history are deleted permanently. Finished runs are kept.</p>
    </DeleteDialog>
  );
}

interface FolderDialogProps {
  /** Absent for a new folder. */
  folder?: string;
  /** Called with the new name. */
  onDone: (name: string) => void;
  onClose: () => void;
}

export function FolderDialog({ folder, onDone, onClose }: FolderDialogProps) {
  const [name, setName] = useState(folder ?? "");
  const rename = useWorkflowMutation(
    async () => {
      if (folder !== undefined && folder !== name.trim()) await renameFolder({ from: folder, to: name });
    },
    () => {
      onDone(name.trim());
      onClose();
    },
  );
  return (
    <FormDialog
      title={folder === undefined ? "New folder" : `Rename “${folder}”`}
      onClose={onClose}
      action={rename}
      submit={folder === undefined ? "Create" : "Rename"}
      ready={name.trim() !== ""}
    >
      <Field label="Name">
        {(ids) => (
          <input
            className="in"
            {...ids}
            maxLength={100}
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
        )}
      </Field>
    </FormDialog>
  );
}
