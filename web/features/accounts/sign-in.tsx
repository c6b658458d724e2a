import { type FormEvent, useState } from "react";
import { logIn, register } from "../../api/accounts.ts";
import { messageOf } from "../../api/api-error.ts";
import { TextField } from "../../ui/field.tsx";
import "./sign-in.css";

export function SignIn() {
  const [kind, setKind] = useState<"login" | "register">("login");
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const [name, setName] = useState("");
  const [wrong, setWrong] = useState<string>();
  const [busy, setBusy] = useState(false);
  const registering = kind === "register";

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    setBusy(true);
    setWrong(undefined);
    try {
      await (registering
        ? register({ email, password, ...(name === "" ? {} : { name }) })
        : logIn({ email, password }));
    } catch (error) {
      setWrong(messageOf(error));
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
          <h1>{registering ? "Make an account" : "Sign in"}</h1>
          <p className="muted small">Workflows that finish what they start, on your own machine.</p>
        </div>
        {registering && (
          <TextField
            label="Name"
            value={name}
            onChange={setName}
            autoComplete="name"
            hint="May stay empty."
          />
        )}
        <TextField
          label="E-mail"
          type="email"
          value={email}
          onChange={setEmail}
          autoComplete="username"
          required
        />
        <TextField
          label="Password"
          type="password"
          value={password}
          onChange={setPassword}
          autoComplete={registering ? "new-password" : "current-password"}
          required
          {...(registering ? { minLength: 8, hint: "At least 8 characters." } : {})}
        />
        {wrong !== undefined && (
          <div className="notice bad" role="alert">
            {wrong}
          </div>
        )}
        <button type="submit" className="btn go" disabled={busy}>
          {registering ? "Make the account" : "Sign in"}
        </button>
        <button
          type="button"
          className="btn ghost"
          onClick={() => setKind(registering ? "login" : "register")}
        >
          {registering ? "I have an account" : "New here? Make an account"}
        </button>
      </form>
    </main>
  );
}
