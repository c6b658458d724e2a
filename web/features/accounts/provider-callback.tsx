import { useEffect, useRef, useState } from "react";
import { Link } from "wouter";
import { finishProviderLogin } from "../../api/accounts.ts";
import { messageOf } from "../../api/api-error.ts";
import { Skeleton } from "../../ui/states.tsx";
import { AccountCard } from "./account-card.tsx";

/** Where the login provider sends the user back. */
export function ProviderCallback() {
  const isStarted = useRef(false);
  const [error, setError] = useState<string>();
  useEffect(() => {
    // The response works once, and development builds run effects twice.
    if (isStarted.current) return;
    isStarted.current = true;
    finishProviderLogin(location.search.slice(1)).then(
      // Loads the page anew: the response of the provider leaves the history, and no data of another user stays.
      (path) => location.replace(path),
      (failure: unknown) => setError(messageOf(failure)),
    );
  }, []);
  if (error === undefined)
    return (
      <AccountCard title="Signing in">
        <Skeleton rows={1} />
      </AccountCard>
    );
  return (
    <AccountCard title="Sign-in failed">
      <div className="notice bad" role="alert">
        {error}
      </div>
      <Link href="/" className="btn go">
        Back to sign in
      </Link>
    </AccountCard>
  );
}
