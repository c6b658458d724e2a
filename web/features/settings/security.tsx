import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { changePassword, useMe } from "../../api/accounts.ts";
import { PasswordField } from "../../ui/password-field.tsx";
import { Screen } from "../../ui/screen.tsx";
import { Failure, Loaded } from "../../ui/states.tsx";
import { showToast } from "../../ui/toasts.tsx";
import { LoginList } from "./login-list.tsx";
import { SettingsTabs } from "./settings-tabs.tsx";
import { TwoFactor } from "./two-factor.tsx";
import "./security.css";

/** How the user logs in, and where they are logged in. */
export function Security() {
  const me = useMe();
  return (
    <Screen title="Settings">
      <div className="page stack narrow">
        <SettingsTabs />
        <Loaded query={me}>
          {({ providerOnly }) =>
            providerOnly ? (
              <p className="card pad">
                You sign in with the login provider of your organization. Change your password and your second
                factor there.
              </p>
            ) : (
              <>
                <TwoFactor />
                <PasswordForm />
              </>
            )
          }
        </Loaded>
        <LoginList />
      </div>
    </Screen>
  );
}

function PasswordForm() {
  const [currentPassword, setCurrent] = useState("");
  const [newPassword, setNew] = useState("");
  const change = useMutation({
    mutationFn: () => changePassword({ currentPassword, newPassword }),
    onSuccess: () => {
      setCurrent("");
      setNew("");
      showToast("Password changed. All other logins have ended.");
    },
  });
  return (
    <form
      className="card pad stack"
      aria-label="Change password"
      onSubmit={(event) => {
        event.preventDefault();
        change.mutate();
      }}
    >
      <h2>Password</h2>
      <PasswordField
        label="Current password"
        autoComplete="current-password"
        value={currentPassword}
        onChange={setCurrent}
      />
      <PasswordField
        label="New password"
        autoComplete="new-password"
        minLength={8}
        value={newPassword}
        onChange={setNew}
      />
      {change.error !== null && <Failure error={change.error} />}
      <div className="actions">
        <button type="submit" className="btn go" disabled={change.isPending}>
          Change password
        </button>
      </div>
    </form>
  );
}
