import { useState } from "react";
import {
  useDisableSecondFactor,
  useEnableSecondFactor,
  useReplaceRecoveryCodes,
  useSecondFactorSetup,
} from "../../api/security.ts";
import { CopyButton } from "../../ui/copy-button.tsx";
import { TextField } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { PasswordField } from "../../ui/password-field.tsx";
import { Loaded } from "../../ui/states.tsx";
import { showToast } from "../../ui/toasts.tsx";
import { QrCode } from "./qr-code.tsx";
import { RecoveryCodesDialog } from "./recovery-codes-dialog.tsx";

interface DialogProps {
  onClose: () => void;
}

/** The password and a code, which every change of the second factor needs. */
function useConfirmation() {
  const [password, setPassword] = useState("");
  const [code, setCode] = useState("");
  const fields = (hint: string) => (
    <>
      <TextField
        label="Code"
        value={code}
        onChange={setCode}
        autoComplete="one-time-code"
        hint={hint}
        required
        mono
      />
      <PasswordField
        label="Password"
        autoComplete="current-password"
        value={password}
        onChange={setPassword}
      />
    </>
  );
  return { confirmation: { password, code }, fields };
}

export function SetUpDialog({ onClose }: DialogProps) {
  const setup = useSecondFactorSetup();
  const enable = useEnableSecondFactor();
  const { confirmation, fields } = useConfirmation();
  if (enable.data !== undefined) return <RecoveryCodesDialog codes={enable.data} onClose={onClose} />;
  return (
    <FormDialog
      title="Set up two-factor authentication"
      onClose={onClose}
      action={{ ...enable, mutate: () => enable.mutate(confirmation) }}
      submit="Turn on"
      ready={setup.data !== undefined}
    >
      <p>Scan this with your authenticator app, then enter the code that it shows.</p>
      <Loaded query={setup} rows={3}>
        {({ secret, uri }) => (
          <>
            <QrCode text={uri} label="QR code for your authenticator app" />
            <div className="row">
              <span className="small muted grow">
                Or type this key:{" "}
                <code className="breakable">{secret.replaceAll(/(.{4})(?=.)/g, "$1 ")}</code>
              </span>
              <CopyButton text={secret} />
            </div>
          </>
        )}
      </Loaded>
      {fields("Six digits of your app.")}
    </FormDialog>
  );
}

export function NewCodesDialog({ onClose }: DialogProps) {
  const replace = useReplaceRecoveryCodes();
  const { confirmation, fields } = useConfirmation();
  if (replace.data !== undefined) return <RecoveryCodesDialog codes={replace.data} onClose={onClose} />;
  return (
    <FormDialog
      title="New recovery codes"
      onClose={onClose}
      action={{ ...replace, mutate: () => replace.mutate(confirmation) }}
      submit="Create new codes"
    >
      <p>The codes that you have stop working.</p>
      {fields("Of your authenticator app, or a recovery code.")}
    </FormDialog>
  );
}

export function TurnOffDialog({ onClose }: DialogProps) {
  const disable = useDisableSecondFactor(() => {
    onClose();
    showToast("Two-factor authentication is off.");
  });
  const { confirmation, fields } = useConfirmation();
  return (
    <FormDialog
      title="Turn off two-factor authentication?"
      onClose={onClose}
      action={{ ...disable, mutate: () => disable.mutate(confirmation) }}
      submit="Turn off"
    >
      <p>Your password alone then signs you in. Your recovery codes stop working.</p>
      {fields("Of your authenticator app, or a recovery code.")}
    </FormDialog>
  );
}
