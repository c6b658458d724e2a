import { ApiError } from "../../api/api-error.ts";
import { deleteApi, useApiAppMutation } from "../../api/apis.ts";
import type { ConnectionDetails } from "../../api/connections.ts";
import { DeleteDialog } from "../../ui/delete-dialog.tsx";
import { UseList, usesOf } from "../connections/used-by.tsx";

interface DeleteApiProps {
  id: string;
  title: string;
  onDeleted: () => void;
  onClose: () => void;
}

/** Asks once for an unused API; one in use is refused first, and its uses are shown before it is deleted. */
export function DeleteApi({ id, title, onDeleted, onClose }: DeleteApiProps) {
  const remove = useApiAppMutation((force: boolean) => deleteApi(id, force), onDeleted);
  const uses = usesIn(remove.error);
  const action = {
    mutate: () => remove.mutate(uses.length > 0),
    isPending: remove.isPending,
    error: uses.length > 0 ? null : remove.error,
  };
  return (
    <DeleteDialog name={title} onClose={onClose} action={action}>
      <p>
        Its actions and its connections are deleted.
        {uses.length > 0 && " These stop working:"}
      </p>
      {uses.length > 0 && <UseList list={uses} />}
    </DeleteDialog>
  );
}

function usesIn(error: unknown) {
  return error instanceof ApiError && error.code === "app_in_use"
    ? usesOf(error.body["details"] as ConnectionDetails["usedBy"])
    : [];
}
