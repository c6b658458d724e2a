import { useMutation } from "@tanstack/react-query";
import { useLoginMethods } from "../../api/accounts.ts";
import { messageOf } from "../../api/api-error.ts";
import { sendEmailConfirmation } from "../../api/security.ts";

/** Asks for the confirmation of the address, where the service can send the mail. */
export function ConfirmEmailBanner({ email }: { email: string }) {
  const methods = useLoginMethods();
  const send = useMutation({ mutationFn: sendEmailConfirmation });
  if (methods.data?.mail !== true) return null;
  return (
    <div className="notice" role="status">
      <span className="grow">
        {send.isSuccess
          ? `A new link is on its way to ${email}.`
          : send.error !== null
            ? messageOf(send.error)
            : `Confirm your email address: open the link that was mailed to ${email}.`}
      </span>
      {!send.isSuccess && (
        <button type="button" className="btn tiny" disabled={send.isPending} onClick={() => send.mutate()}>
          Send again
        </button>
      )}
    </div>
  );
}
