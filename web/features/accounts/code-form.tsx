import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { logInWithCode } from "../../api/accounts.ts";
import { TextField } from "../../ui/field.tsx";
import { Failure } from "../../ui/states.tsx";

interface CodeFormProps {
  challenge: string;
  /** Back to email address and password. */
  onRestart: () => void;
}

/** The second step of a login: the code of an authenticator app. */
export function CodeForm({ challenge, onRestart }: CodeFormProps) {
  const [code, setCode] = useState("");
  const logIn = useMutation({ mutationFn: () => logInWithCode(challenge, code) });
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        logIn.mutate();
      }}
    >
      <TextField label="Code" value={code} onChange={setCode} autoComplete="one-time-code" required mono />
      {logIn.error !== null && <Failure error={logIn.error} />}
      <button type="submit" className="btn go" disabled={logIn.isPending}>
        Sign in
      </button>
      <button type="button" className="btn ghost" onClick={onRestart}>
        Back
      </button>
    </form>
  );
}
