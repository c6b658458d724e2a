import { useEffect, useRef } from "react";
import { Link } from "wouter";
import { messageOf } from "../../api/api-error.ts";
import { finishConnection, useConnectionMutation } from "../../api/connections.ts";
import { Screen } from "../../ui/screen.tsx";
import { Failure, Skeleton } from "../../ui/states.tsx";
import { isSignInWindow, tellSignIn } from "./sign-in-window.ts";

/** Where a service sends the user back after the sign-in. It notifies the waiting page and closes its own window. */
export function ConnectionCallback() {
  const isSent = useRef(false);
  const { mutate, data, error } = useConnectionMutation(finishConnection);
  useEffect(() => {
    // A state works once, and React runs effects twice in development.
    if (isSent.current) return;
    isSent.current = true;
    const answer = new URLSearchParams(location.search);
    const read = (name: string): string | undefined => answer.get(name) ?? undefined;
    const state = answer.get("state");
    const [code, iss, refusal] = [read("code"), read("iss"), read("error")];
    // The code must not stay in the history.
    history.replaceState(null, "", location.pathname);
    mutate(
      {
        state: state ?? "none",
        ...(code === undefined ? {} : { code }),
        ...(iss === undefined ? {} : { iss }),
        ...(refusal === undefined ? {} : { error: refusal }),
      },
      {
        onSuccess() {
          tellSignIn({ state });
          if (isSignInWindow()) window.close();
        },
        onError: (problem) => tellSignIn({ state, problem: messageOf(problem) }),
      },
    );
  }, [mutate]);
  return (
    <Screen title="Connecting">
      <div className="page">
        {error !== null ? (
          <Failure error={error} />
        ) : data === undefined ? (
          <Skeleton rows={2} />
        ) : (
          <p role="status">
            “{data.name}” is connected. You can close this window
            {isSignInWindow() ? "." : ", or go on here."}
          </p>
        )}
        {(error !== null || data !== undefined) && (
          <p>
            <Link href={data === undefined ? "/connections" : `/connections/${data.id}`}>
              Open connections
            </Link>
          </p>
        )}
      </div>
    </Screen>
  );
}
