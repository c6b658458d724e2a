import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { forgotPassword } from "../../api/security.ts";
import { TextField } from "../../ui/field.tsx";
import { Failure } from "../../ui/states.tsx";

export function ForgotPassword({ onBack }: { onBack: () => void }) {
  const [email, setEmail] = useState("");
  const request = useMutation({ mutationFn: () => forgotPassword(email) });
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        request.mutate();
      }}
    >
      {request.isSuccess ? (
        <div className="notice" role="status">
          If an account has this address, a mail with a link is on its way. The link works for an hour.
        </div>
      ) : (
        <>
          <TextField
            label="Email"
            type="email"
            value={email}
            onChange={setEmail}
            autoComplete="username"
            required
          />
          {request.error !== null && <Failure error={request.error} />}
          <button type="submit" className="btn go" disabled={request.isPending}>
            Send link
          </button>
        </>
      )}
      <button type="button" className="btn ghost" onClick={onBack}>
        Back to sign in
      </button>
    </form>
  );
}
