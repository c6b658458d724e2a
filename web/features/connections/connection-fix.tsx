import { useConnection } from "../../api/connections.ts";
import { Reconnect } from "./reconnect.tsx";

/** In an error that a refused credential caused: repairs the connection in place. */
export function ConnectionFix({ connectionId }: { connectionId: string }) {
  const { data: connection, error } = useConnection(connectionId);
  if (error !== null)
    return <p className="small muted">The connection was deleted. Choose another one in the step.</p>;
  if (connection === undefined) return null;
  if (connection.status === "connected")
    return (
      <p className="small" role="status">
        “{connection.name}” works again.
      </p>
    );
  return <Reconnect connection={connection} primary />;
}
