import { useState } from "react";
import { startProviderLogin } from "../../api/accounts.ts";
import { messageOf } from "../../api/api-error.ts";

interface ProviderButtonProps {
  label: string;
  /** There is no form for a password beside it. */
  isOnly: boolean;
  /** The token of the invitation with which the account is created. */
  invitation?: string;
}

/** Continues at the login page of the provider. */
export function ProviderButton({ label, isOnly, invitation }: ProviderButtonProps) {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  async function start(): Promise<void> {
    setBusy(true);
    setError(undefined);
    try {
      await startProviderLogin(invitation);
    } catch (failure) {
      setError(messageOf(failure));
      setBusy(false);
    }
  }
  return (
    <>
      <button
        type="button"
        className={isOnly ? "btn go" : "btn"}
        disabled={busy}
        onClick={() => void start()}
      >
        Continue with {label}
      </button>
      {error !== undefined && (
        <div className="notice bad" role="alert">
          {error}
        </div>
      )}
    </>
  );
}
