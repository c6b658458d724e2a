import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useLocation } from "wouter";
import { useLoginMethods, useToken } from "../../api/accounts.ts";
import { readAccountInvitation } from "../../api/administration.ts";
import { Loaded } from "../../ui/states.tsx";
import { AccountCard } from "./account-card.tsx";
import { PasswordSignIn } from "./password-sign-in.tsx";
import { ProviderButton } from "./provider-button.tsx";

/** The page behind the link of an invitation: creates an account, also while registration is closed. */
export function Register() {
  const [token] = useState(() => new URLSearchParams(location.hash.slice(1)).get("invitation") ?? "");
  const isSignedIn = useToken() !== null;
  const [wasSignedIn] = useState(isSignedIn);
  const [, navigate] = useLocation();
  const methods = useLoginMethods().data;
  const provider = methods?.provider ?? null;
  const withPassword = methods?.password ?? true;
  const invitation = useQuery({
    queryKey: ["accountInvitation", token],
    queryFn: () => readAccountInvitation(token),
    enabled: !wasSignedIn,
    retry: false,
  });
  useEffect(() => {
    if (isSignedIn && !wasSignedIn) navigate("/", { replace: true });
  }, [isSignedIn, wasSignedIn, navigate]);
  if (wasSignedIn)
    return (
      <AccountCard
        title="You have an account"
        text="This link creates another one. Sign out first to use it."
      >
        <button type="button" className="btn go" onClick={() => navigate("/", { replace: true })}>
          Open Baton
        </button>
      </AccountCard>
    );
  return (
    <AccountCard title="Create account" text="You are invited to Baton.">
      <Loaded query={invitation} rows={3}>
        {({ email }) => (
          <>
            {provider !== null && (
              <ProviderButton label={provider.label} isOnly={!withPassword} invitation={token} />
            )}
            {provider !== null && withPassword && <div className="or">or</div>}
            {withPassword && (
              <PasswordSignIn registering invitation={{ token, email }} onChallenge={() => undefined} />
            )}
            {!withPassword && email !== null && (
              <p className="small muted">The invitation is for {email}. Use the account with this address.</p>
            )}
          </>
        )}
      </Loaded>
    </AccountCard>
  );
}
