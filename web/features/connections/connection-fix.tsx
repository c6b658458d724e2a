import { RotateCcw } from "lucide-react";
import { useConnection } from "../../api/connections.ts";
import { needsAttention } from "./connection-status.tsx";
import { Reconnect } from "./reconnect.tsx";
import "./connection-fix.css";

interface ConnectionFixProps {
  connectionId: string;
  /** Offers to rerun the step once the connection works. */
  onRerun?: (() => void) | undefined;
}

/** In an error that a refused credential caused: repairs the connection in place. */
export function ConnectionFix({ connectionId, onRerun }: ConnectionFixProps) {
  const { data: connection, error } = useConnection(connectionId);
  if (error !== null)
    return <p className="small muted">The connection was deleted. Choose another one in the step.</p>;
  if (connection === undefined) return null;
  if (!needsAttention(connection))
    return (
      <div className="row wrap">
        <p className="small" role="status">
          “{connection.name}” {connection.status === "connected" ? "works now." : "was changed."}
        </p>
        {onRerun !== undefined && (
          <button type="button" className="btn go" onClick={onRerun}>
            <RotateCcw size={14} /> Rerun failed step
          </button>
        )}
      </div>
    );
  return (
    <div className="connection-fix">
      <Reconnect connection={connection} primary />
    </div>
  );
}
