import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Link } from "wouter";
import { confirmEmail, linkToken } from "../../api/security.ts";
import { Failure } from "../../ui/states.tsx";
import { AccountCard } from "./account-card.tsx";

/** The page behind the link of a mail. A click confirms: programs that scan mails open links, but press no button. */
export function ConfirmEmail() {
  const client = useQueryClient();
  const confirm = useMutation({
    mutationFn: () => confirmEmail(linkToken()),
    onSuccess: () => client.invalidateQueries({ queryKey: ["me"] }),
  });
  if (confirm.isSuccess)
    return (
      <AccountCard title="Address confirmed" text="Thank you. Your account is complete.">
        <Link href="/" className="btn go">
          Continue
        </Link>
      </AccountCard>
    );
  return (
    <AccountCard title="Confirm your email address" text="It belongs to your Baton account.">
      {confirm.error !== null && <Failure error={confirm.error} />}
      <button type="button" className="btn go" disabled={confirm.isPending} onClick={() => confirm.mutate()}>
        Confirm address
      </button>
    </AccountCard>
  );
}
