import { useMutation } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useSearch } from "wouter";
import { useMe, useSignOut } from "../../api/accounts.ts";
import { messageOf } from "../../api/api-error.ts";
import { type Authorization, decideAuthorization, useAuthorization } from "../../api/oauth.ts";
import { Failure, Skeleton } from "../../ui/states.tsx";
import "./consent.css";

/** An app asks to connect. The user reads who asks, for what, and where the browser goes next, and decides once. */
export function ConsentScreen() {
  const search = useSearch();
  const authorization = useAuthorization(search);
  return (
    <main className="consent">
      <div className="card stack">
        <div className="brand">
          <i />
          Baton
        </div>
        {authorization.data !== undefined ? (
          <Consent search={search} authorization={authorization.data} />
        ) : authorization.error !== null ? (
          <Message title="This app cannot connect">
            <div className="notice bad" role="alert">
              {messageOf(authorization.error)}
            </div>
            <p className="muted">Close this page and connect again from the app.</p>
          </Message>
        ) : (
          <Skeleton />
        )}
      </div>
    </main>
  );
}

function Consent({ search, authorization }: { search: string; authorization: Authorization }) {
  const { clientName, redirectTarget, problem } = authorization;
  const decide = useMutation({
    mutationFn: (decision: "allow" | "deny") => decideAuthorization(search, decision),
    onSuccess: (redirectTo) => location.assign(redirectTo),
  });
  if (decide.data !== undefined)
    return (
      <Message title={`Returning to ${redirectTarget}`}>
        <p className="muted" role="status">
          You can close this page if nothing happens.
        </p>
      </Message>
    );
  if (problem !== null)
    return (
      <Message title={`${clientName} cannot connect`}>
        <div className="notice bad" role="alert">
          {problem}
        </div>
        {decide.error !== null && <Failure error={decide.error} />}
        <div className="consent-actions">
          <DecisionButton decide={decide} decision="deny">
            Return to {redirectTarget}
          </DecisionButton>
        </div>
      </Message>
    );
  return (
    <>
      <h1>Allow “{clientName}” to connect?</h1>
      <Facts authorization={authorization} />
      {decide.error !== null && <Failure error={decide.error} />}
      <div className="consent-actions">
        <DecisionButton decide={decide} decision="deny">
          Deny
        </DecisionButton>
        <DecisionButton decide={decide} decision="allow">
          Allow
        </DecisionButton>
      </div>
    </>
  );
}

interface DecisionButtonProps {
  decide: { isPending: boolean; mutate(decision: "allow" | "deny"): void };
  decision: "allow" | "deny";
  children: ReactNode;
}

function DecisionButton({ decide, decision, children }: DecisionButtonProps) {
  return (
    <button
      type="button"
      className={decision === "allow" ? "btn go" : "btn"}
      disabled={decide.isPending}
      onClick={() => decide.mutate(decision)}
    >
      {children}
    </button>
  );
}

function Facts({ authorization }: { authorization: Authorization }) {
  const { clientHost, redirectKind, redirectTarget, redirectUri, resource } = authorization;
  const me = useMe();
  const signOut = useSignOut();
  return (
    <>
      <dl className="consent-facts">
        <div>
          <dt>App</dt>
          <dd>
            {clientHost === null ? (
              <>The app chose its name itself. Nobody has checked it.</>
            ) : (
              <>
                Published by <b>{clientHost}</b>
              </>
            )}
          </dd>
        </div>
        <div>
          <dt>Redirects to</dt>
          <dd>
            <b>{redirectTarget}</b>
            <div className="small muted">{redirectUri}</div>
          </dd>
        </div>
        <div>
          <dt>It may</dt>
          <dd>
            use the workflows, agents, teams and documents that you expose to MCP clients, and read all your
            workflow templates, in your name, until you disconnect it
            <div className="small muted">{resource}</div>
          </dd>
        </div>
        <div>
          <dt>Account</dt>
          <dd className="row wrap">
            <span className="grow">{me.data?.email ?? "\u00a0"}</span>
            <button type="button" className="btn tiny" onClick={signOut}>
              Use another account
            </button>
          </dd>
        </div>
      </dl>
      <div className="notice wait">{WARNINGS[redirectKind]}</div>
    </>
  );
}

const WARNINGS: Record<Authorization["redirectKind"], string> = {
  web: "Allow only if you know this address and started this in the app yourself.",
  loopback: "A program on this computer asks. Allow only if you started this there yourself.",
  app: "An app on this device asks. Allow only if you started this there yourself.",
};

function Message({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="stack">
      <h1>{title}</h1>
      {children}
    </div>
  );
}
