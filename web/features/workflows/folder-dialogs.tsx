import { useState } from "react";
import { createFolder, deleteFolder, renameFolder, useWorkflowMutation } from "../../api/workflows.ts";
import { folderName, isInFolder, joinFolder, parentFolder } from "../../flow/folder-tree.ts";
import { DeleteDialog } from "../../ui/delete-dialog.tsx";
import { SelectField, TextField } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";

export type FolderAction = "create" | "rename" | "move" | "delete";

interface FolderDialogProps {
  action: FolderAction;
  /** The folder of the action; the folder around a new one, empty for the top. */
  path: string;
  folders: readonly string[];
  onClose: () => void;
}

export function FolderDialog(props: FolderDialogProps) {
  switch (props.action) {
    case "create":
    case "rename":
      return <NameFolder {...props} />;
    case "move":
      return <MoveFolder {...props} />;
    case "delete":
      return <DeleteFolder {...props} />;
  }
}

function NameFolder({ action, path, onClose }: FolderDialogProps) {
  const isNew = action === "create";
  const [name, setName] = useState(isNew ? "" : folderName(path));
  const typed = name.trim();
  const save = useWorkflowMutation(
    () =>
      isNew
        ? createFolder(joinFolder(path, typed))
        : renameFolder({ from: path, to: joinFolder(parentFolder(path), typed) }),
    onClose,
  );
  const title = isNew
    ? path === ""
      ? "New folder"
      : `New folder in “${path}”`
    : `Rename “${folderName(path)}”`;
  return (
    <FormDialog
      title={title}
      onClose={onClose}
      action={save}
      submit={isNew ? "Create" : "Rename"}
      ready={typed !== "" && (isNew || typed !== folderName(path))}
    >
      <TextField label="Name" value={name} onChange={setName} />
    </FormDialog>
  );
}

function MoveFolder({ path, folders, onClose }: FolderDialogProps) {
  const [into, setInto] = useState(parentFolder(path));
  const move = useWorkflowMutation(
    () => renameFolder({ from: path, to: joinFolder(into, folderName(path)) }),
    onClose,
  );
  return (
    <FormDialog
      title={`Move “${folderName(path)}”`}
      onClose={onClose}
      action={move}
      submit="Move"
      ready={into !== parentFolder(path)}
    >
      <SelectField
        label="Into"
        value={into}
        onChange={setInto}
        emptyOption="No folder"
        options={folders
          .filter((folder) => !isInFolder(folder, path))
          .map((folder) => ({ value: folder, label: folder }))}
      />
    </FormDialog>
  );
}

function DeleteFolder({ path, onClose }: FolderDialogProps) {
  const remove = useWorkflowMutation(() => deleteFolder(path), onClose);
  const above = parentFolder(path);
  return (
    <DeleteDialog name={path} onClose={onClose} action={remove}>
      <p>
        Its workflows and subfolders move {above === "" ? "out of it" : `to “${above}”`}. No workflow is
        deleted.
      </p>
    </DeleteDialog>
  );
}
