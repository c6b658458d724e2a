import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useLocation } from "wouter";
import { expireSession } from "../../api/accounts.ts";
import { linkToken, resetPassword } from "../../api/security.ts";
import { PasswordField } from "../../ui/password-field.tsx";
import { Failure } from "../../ui/states.tsx";
import { showToast } from "../../ui/toasts.tsx";
import { AccountCard } from "./account-card.tsx";

/** The page behind the link of a mail. */
export function ResetPassword() {
  const [password, setPassword] = useState("");
  const [, navigate] = useLocation();
  const reset = useMutation({
    mutationFn: () => resetPassword(linkToken(), password),
    onSuccess: () => {
      // Every login has ended, that of this browser too.
      expireSession();
      showToast("Password changed. Sign in with the new one.");
      navigate("/", { replace: true });
    },
  });
  return (
    <AccountCard title="Choose a new password" text="All your logins end.">
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          reset.mutate();
        }}
      >
        <PasswordField
          label="New password"
          value={password}
          onChange={setPassword}
          autoComplete="new-password"
          minLength={8}
          hint="At least 8 characters."
        />
        {reset.error !== null && <Failure error={reset.error} />}
        <button type="submit" className="btn go" disabled={reset.isPending}>
          Change password
        </button>
      </form>
    </AccountCard>
  );
}
