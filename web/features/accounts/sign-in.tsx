import { type FormEvent, useState } from "react";
import { logIn, register } from "../../api/accounts.ts";
import { ApiError, messageOf } from "../../api/api-error.ts";
import { TextField } from "../../ui/field.tsx";
import { PasswordField } from "../../ui/password-field.tsx";
import "./sign-in.css";

export function SignIn() {
  const [registering, setRegistering] = useState(false);
  const [email, setEmail] = useState("");
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
          })
        : logIn({ email, password }));
    } catch (failure) {
      if (failure instanceof ApiError && failure.code === "setup_code_required") setNeedsCode(true);
      setError(messageOf(failure));
      setBusy(false);
    }
  }

  return (
    <main className="sign-in">
      <form className="card sign-in-card" onSubmit={(event) => void submit(event)}>
        <div className="brand">
          <i />
          Baton
        </div>
        <div>
          <h1>{registering ? "Create account" : "Sign in"}</h1>
          <p className="muted small">Durable workflows on your own machine.</p>
        </div>
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
        <button type="button" className="btn ghost" onClick={() => setRegistering(!registering)}>
          {registering ? "I already have an account" : "New here? Create an account"}
        </button>
      </form>
    </main>
  );
}
