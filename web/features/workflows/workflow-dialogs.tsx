import { useId, useState } from "react";
import type { WorkflowHead } from "../../api/types.ts";
import { deleteWorkflow, placeWorkflow, useWorkflowMutation, useWorkflows } from "../../api/workflows.ts";
import { DeleteDialog } from "../../ui/delete-dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { TagField } from "../../ui/tag-field.tsx";

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
      <Field
        label="Folder"
        hint="Empty for no folder. A new name creates the folder; slashes separate subfolders."
      >
        {(ids) => (
          <>
            <input
              className="in"
              {...ids}
              list={listId}
              maxLength={200}
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
  const [tags, setTags] = useState<readonly string[]>(workflow.tags);
  const known = [...new Set((useWorkflows().data ?? []).flatMap((each) => each.tags))].toSorted();
  const save = useWorkflowMutation(() => placeWorkflow(workflow.id, { tags }), onClose);
  return (
    <FormDialog title={`Tags of “${workflow.name}”`} onClose={onClose} action={save} submit="Save">
      <TagField label="Tags" tags={tags} onChange={setTags} known={known} />
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
