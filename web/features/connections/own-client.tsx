import type { ReactNode } from "react";
import { useOauthClients } from "../../api/connections.ts";
import { CopiedValue } from "./copied-value.tsx";

interface OwnClientProps {
  app: { id: string; title: string };
  /** Where to create the client. */
  help: string | undefined;
  children: ReactNode;
}

/** The client of the instance serves everyone who connects the app; where it has none, the fields for an own one are open. */
export function OwnClient({ app, help, children }: OwnClientProps) {
  const { data } = useOauthClients();
  if (data === undefined) return null;
  const client = data.clients.find((each) => each.app === app.id);
  const fields = (
    <>
      {help !== undefined && <p className="small muted">{help}</p>}
      <RedirectAddress />
      {children}
    </>
  );
  if (client?.configured === true)
    return (
      <details>
        <summary className="small">Client of your own</summary>
        <div className="stack">{fields}</div>
      </details>
    );
  return (
    <>
      <div className="notice wait">
        <span>
          This instance has no OAuth client for {app.title}. Enter your own
          {client === undefined
            ? "."
            : ", or ask an administrator to set one up for everyone in the tab OAuth clients."}
        </span>
      </div>
      {fields}
    </>
  );
}

/** The service refuses to sign in people for a client that does not have it. */
export function RedirectAddress() {
  const { data } = useOauthClients();
  return data === undefined ? null : <CopiedValue label="Redirect address" value={data.redirectUrl} />;
}
