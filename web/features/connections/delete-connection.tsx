import { type ConnectionDetails, deleteConnection, useConnectionMutation } from "../../api/connections.ts";
import { DeleteDialog } from "../../ui/delete-dialog.tsx";
import { UseList, usesOf } from "./used-by.tsx";

interface DeleteConnectionProps {
  connection: ConnectionDetails;
  onDeleted: () => void;
  onClose: () => void;
}

/** Lists what stops working before the connection is deleted. */
export function DeleteConnection({ connection, onDeleted, onClose }: DeleteConnectionProps) {
  const uses = usesOf(connection.usedBy);
  const remove = useConnectionMutation(() => deleteConnection(connection.id, uses.length > 0), onDeleted);
  return (
    <DeleteDialog name={connection.name} onClose={onClose} action={remove}>
      <p>
        Its credential is deleted.{" "}
        {uses.length === 0 ? "Nothing uses it." : "These stop working until they get another connection:"}
      </p>
      {uses.length > 0 && <UseList list={uses} />}
    </DeleteDialog>
  );
}
