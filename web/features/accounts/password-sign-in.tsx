import { type FormEvent, useState } from "react";
import { challengeOf, logIn, register } from "../../api/accounts.ts";
import { ApiError, messageOf } from "../../api/api-error.ts";
import { TextField } from "../../ui/field.tsx";
import { PasswordField } from "../../ui/password-field.tsx";

interface PasswordSignInProps {
  registering: boolean;
  /** The password is right, and a code is needed as well. */
  onChallenge: (challenge: string) => void;
  /** The account is created with this invitation, for its address if it names one. */
  invitation?: { token: string; email: string | null };
  /** Absent when the service sends no mail. */
  onForgot?: () => void;
}

export function PasswordSignIn({ registering, onChallenge, invitation, onForgot }: PasswordSignInProps) {
  const [email, setEmail] = useState(invitation?.email ?? "");
  const [password, setPassword] = useState("");
  const [name, setName] = useState("");
  const [setupCode, setSetupCode] = useState("");
  const [needsCode, setNeedsCode] = useState(false);
  const [error, setError] = useState<string>();
  const [busy, setBusy] = useState(false);

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    setBusy(true);
    setError(undefined);
    try {
      await (registering
        ? register({
            email,
            password,
            ...(name === "" ? {} : { name }),
            ...(setupCode === "" ? {} : { setupCode }),
            ...(invitation === undefined ? {} : { invitation: invitation.token }),
          })
        : logIn({ email, password }));
    } catch (failure) {
      const challenge = challengeOf(failure);
      if (challenge !== undefined) return onChallenge(challenge);
      if (failure instanceof ApiError && failure.code === "setup_code_required") setNeedsCode(true);
      setError(messageOf(failure));
      setBusy(false);
    }
  }

  return (
    <form className="stack" onSubmit={(event) => void submit(event)}>
      {registering && (
        <TextField label="Name" value={name} onChange={setName} autoComplete="name" hint="Optional" />
      )}
      <TextField
        label="Email"
        type="email"
        value={email}
        onChange={setEmail}
        autoComplete="username"
        required
      />
      <PasswordField
        label="Password"
        value={password}
        onChange={setPassword}
        autoComplete={registering ? "new-password" : "current-password"}
        {...(registering ? { minLength: 8, hint: "At least 8 characters." } : {})}
      />
      {registering && needsCode && (
        <TextField
          label="Set-up code"
          value={setupCode}
          onChange={setSetupCode}
          autoComplete="off"
          required
        />
      )}
      {error !== undefined && (
        <div className="notice bad" role="alert">
          {error}
        </div>
      )}
      <button type="submit" className="btn go" disabled={busy}>
        {registering ? "Create account" : "Sign in"}
      </button>
      {!registering && onForgot !== undefined && (
        <button type="button" className="btn ghost" onClick={onForgot}>
          Forgot password?
        </button>
      )}
    </form>
  );
}
