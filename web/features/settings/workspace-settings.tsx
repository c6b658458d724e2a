import { useState } from "react";
import { useSwitchWorkspace, useWorkspace } from "../../api/accounts.ts";
import {
  deleteWorkspace,
  leaveWorkspace,
  renameWorkspace,
  useWorkspaceMutation,
} from "../../api/workspaces.ts";
import { ConfirmButton } from "../../ui/confirm-button.tsx";
import { TextField } from "../../ui/field.tsx";
import { Failure } from "../../ui/states.tsx";
import { useMay } from "../../api/permissions.ts";

type Workspace = NonNullable<ReturnType<typeof useWorkspace>["workspace"]>;

/** Renames, leaves or deletes the workspace, as the role allows. */
export function WorkspaceSettings({ workspace }: { workspace: Workspace }) {
  const { id } = workspace;
  const may = useMay();
  const [name, setName] = useState(workspace.name);
  const switchTo = useSwitchWorkspace();
  const rename = useWorkspaceMutation(() => renameWorkspace(id, name.trim()));
  const leave = useWorkspaceMutation(
    () => leaveWorkspace(id),
    () => void switchTo(null),
  );
  const remove = useWorkspaceMutation(
    () => deleteWorkspace(id),
    () => void switchTo(null),
  );
  return (
    <section className="stack" aria-label="Workspace">
      <h2>Workspace</h2>
      {may("updateWorkspace") && (
        <form
          className="card pad stack"
          aria-label="Name of the workspace"
          onSubmit={(event) => {
            event.preventDefault();
            rename.mutate(undefined);
          }}
        >
          <TextField label="Name" value={name} onChange={setName} required />
          {rename.error !== null && <Failure error={rename.error} />}
          <div className="actions">
            <button
              type="submit"
              className="btn"
              disabled={rename.isPending || name.trim() === "" || name.trim() === workspace.name}
            >
              Save
            </button>
          </div>
        </form>
      )}
      <div className="row wrap">
        <ConfirmButton
          className="btn"
          question={`Leave “${workspace.name}”?`}
          consequence="You lose access at once. What you built stays in the workspace."
          confirm="Leave workspace"
          onConfirm={() => leave.mutateAsync(undefined)}
        >
          Leave workspace
        </ConfirmButton>
        {may("deleteWorkspace") && (
          <ConfirmButton
            className="btn danger"
            question={`Delete “${workspace.name}”?`}
            consequence="All its workflows, runs, documents and connections are deleted for every member. This cannot be undone."
            confirm="Delete workspace"
            onConfirm={() => remove.mutateAsync(undefined)}
          >
            Delete workspace
          </ConfirmButton>
        )}
      </div>
    </section>
  );
}
