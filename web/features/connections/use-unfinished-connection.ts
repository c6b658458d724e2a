import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import type { CreateConnection } from "../../../contract/connections.ts";
import { createConnection, deleteConnection } from "../../api/connections.ts";
import { showToast } from "../../ui/toasts.tsx";

/** The connection of a sign-in, which has to exist before it. It is deleted when the sign-in is refused or given up. */
export function useUnfinishedConnection() {
  const client = useQueryClient();
  const unfinished = useRef<{ id: string; name: string }>(undefined);
  const isOpen = useRef(true);

  function discard(): void {
    const connection = unfinished.current;
    if (connection === undefined) return;
    unfinished.current = undefined;
    void deleteConnection(connection.id, false)
      .then(() => showToast(`“${connection.name}” was not created, because its sign-in did not finish.`))
      // Deleted meanwhile, or offline: the list shows what is left.
      .catch(() => undefined)
      .finally(() => void client.invalidateQueries({ queryKey: ["connections"] }));
  }
  const newestDiscard = useRef(discard);
  newestDiscard.current = discard;
  useEffect(() => {
    isOpen.current = true;
    return () => {
      isOpen.current = false;
      newestDiscard.current();
    };
  }, []);

  return {
    id: () => unfinished.current?.id,
    async create(body: CreateConnection): Promise<string> {
      const { id, name } = await createConnection(body);
      unfinished.current = { id, name };
      // The form was closed while the connection was created.
      if (!isOpen.current) discard();
      return id;
    },
    finish(): void {
      unfinished.current = undefined;
    },
    discard,
  };
}
