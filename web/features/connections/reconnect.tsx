import { useState } from "react";
import { type Connection, testConnection, useConnectionMutation } from "../../api/connections.ts";
import { signInLabel } from "../../flow/connection-error.ts";
import { EditConnection } from "./edit-connection.tsx";
import { SignInProgress } from "./sign-in-progress.tsx";
import { useSignIn } from "./use-sign-in.ts";

interface ReconnectProps {
  connection: Connection;
  /** The connection does not work: this is what to do next. */
  primary?: boolean;
}

/** Signs in again, or replaces the secret. */
export function Reconnect({ connection, primary = false }: ReconnectProps) {
  const [isEditing, setEditing] = useState(false);
  const signIn = useSignIn();
  const test = useConnectionMutation(() => testConnection(connection.id));
  const signsIn = connection.kind === "oauth2" && connection.settings["grant"] !== "client_credentials";
  if (!connection.canManage)
    return primary ? (
      <p className="small muted">Ask the member who created the connection, or an admin, to reconnect it.</p>
    ) : null;
  return (
    <div className="stack tight">
      <div className="row wrap">
        {signsIn && (
          <button
            type="button"
            className={primary ? "btn go grow" : "btn"}
            disabled={signIn.state === "starting"}
            onClick={() => signIn.start(() => Promise.resolve(connection.id))}
          >
            {signInLabel(connection)}
          </button>
        )}
        {(!signsIn || !primary) && (
          <button
            type="button"
            className={primary && !signsIn ? "btn go grow" : "btn"}
            onClick={() => setEditing(true)}
          >
            {signsIn ? "Change settings" : "Replace secret or settings"}
          </button>
        )}
      </div>
      <SignInProgress signIn={signIn} />
      {isEditing && (
        <EditConnection
          connection={connection}
          onSaved={() => {
            setEditing(false);
            // A test that works ends the waiting of runs.
            test.mutate(undefined);
          }}
          onClose={() => setEditing(false)}
        />
      )}
    </div>
  );
}
