import { useState } from "react";
import { saveAsTemplate, useTemplateMutation } from "../../api/templates.ts";
import { TextField } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { showToast } from "../../ui/toasts.tsx";

interface SaveTemplateDialogProps {
  workflow: { id: string; name: string; description?: string };
  onClose: () => void;
}

/** Keeps a workflow as a template of the workspace, with the words by which it is found. */
export function SaveTemplateDialog({ workflow, onClose }: SaveTemplateDialogProps) {
  const [name, setName] = useState(workflow.name);
  const [description, setDescription] = useState(workflow.description ?? "");
  const save = useTemplateMutation(
    () => saveAsTemplate(workflow.id, { name: name.trim(), description: description.trim() }),
    () => {
      onClose();
      showToast(`“${name.trim()}” is in Templates now.`);
    },
  );
  return (
    <FormDialog
      title="Save as template"
      onClose={onClose}
      action={save}
      submit="Save template"
      ready={name.trim() !== ""}
    >
      <TextField label="Name" value={name} onChange={setName} />
      <TextField label="Description" value={description} onChange={setDescription} rows={3} />
      <p className="small muted">
        The template has the steps, the settings and the versions as they are now. Later changes of the
        workflow do not change it. Secrets are not part of it.
      </p>
    </FormDialog>
  );
}
