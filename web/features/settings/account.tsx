import { useState } from "react";
import { useMutation } from "@tanstack/react-query";
import { changePassword, deleteAccount, useForgetUser, useMe } from "../../api/accounts.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { PasswordField } from "../../ui/password-field.tsx";
import { Screen } from "../../ui/screen.tsx";
import { Failure } from "../../ui/states.tsx";
import { showToast } from "../../ui/toasts.tsx";
import { ErrorWorkflowForm } from "./error-workflow-form.tsx";
import { SettingsTabs } from "./settings-tabs.tsx";

export function Account() {
  const me = useMe();
  return (
    <Screen title="Settings">
      <div className="page stack narrow">
        <SettingsTabs />
        <p className="muted">{me.data?.email ?? "\u00a0"}</p>
        <ErrorWorkflowForm />
        <PasswordForm />
        <DeleteAccount />
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

function DeleteAccount() {
  const [isOpen, setOpen] = useState(false);
  return (
    <div className="card pad row wrap">
      <p className="grow">Deletes the account with its workflows, runs, documents and files.</p>
      <button type="button" className="btn danger" onClick={() => setOpen(true)}>
        Delete account
      </button>
      {isOpen && <DeleteAccountDialog onClose={() => setOpen(false)} />}
    </div>
  );
}

function DeleteAccountDialog({ onClose }: { onClose: () => void }) {
  const [password, setPassword] = useState("");
  const forgetUser = useForgetUser();
  const remove = useMutation({ mutationFn: () => deleteAccount(password), onSuccess: forgetUser });
  return (
    <Dialog title="Delete your account?" onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          remove.mutate();
        }}
      >
        <p>
          Running work is cancelled and everything you own is deleted. This cannot be undone. Names of your
          endpoints and webhooks stay reserved for 30 days.
        </p>
        <PasswordField
          label="Password"
          autoComplete="current-password"
          value={password}
          onChange={setPassword}
        />
        {remove.error !== null && <Failure error={remove.error} />}
        <div className="actions">
          <button type="button" className="btn" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" className="btn danger" disabled={remove.isPending}>
            Delete
          </button>
        </div>
      </form>
    </Dialog>
  );
}
