import { useState } from "react";
import { useMutation } from "@tanstack/react-query";
import { deleteAccount, useForgetUser, useMe } from "../../api/accounts.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { PasswordField } from "../../ui/password-field.tsx";
import { Screen } from "../../ui/screen.tsx";
import { Failure } from "../../ui/states.tsx";
import { UnconfirmedEmail } from "../accounts/unconfirmed-email.tsx";
import { ErrorWorkflowForm } from "./error-workflow-form.tsx";
import { SettingsTabs } from "./settings-tabs.tsx";

export function Account() {
  const me = useMe();
  return (
    <Screen title="Settings">
      <div className="page stack narrow">
        <SettingsTabs />
        <p className="muted">{me.data?.email ?? "\u00a0"}</p>
        <UnconfirmedEmail />
        <ErrorWorkflowForm />
        <DeleteAccount />
      </div>
    </Screen>
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
  const needsPassword = useMe().data?.providerOnly !== true;
  const forgetUser = useForgetUser();
  const remove = useMutation({
    mutationFn: () => deleteAccount(needsPassword ? password : undefined),
    onSuccess: forgetUser,
  });
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
        {needsPassword ? (
          <PasswordField
            label="Password"
            autoComplete="current-password"
            value={password}
            onChange={setPassword}
          />
        ) : (
          <p className="muted">This needs a sign-in of the last ten minutes.</p>
        )}
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
