import { Suspense } from "react";
import { useMe } from "../../api/accounts.ts";
import { lazyComponent } from "../../ui/lazy-component.ts";

const ConfirmEmailBanner = lazyComponent(() => import("./confirm-email-banner.tsx"), "ConfirmEmailBanner");

/** Nothing for an account with a confirmed address. */
export function UnconfirmedEmail() {
  const me = useMe();
  if (me.data?.emailConfirmedAt !== null) return null;
  return (
    <Suspense>
      <ConfirmEmailBanner email={me.data.email} />
    </Suspense>
  );
}
