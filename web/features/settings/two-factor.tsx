import { Suspense, useState } from "react";
import { useSecondFactor } from "../../api/security.ts";
import { Ago } from "../../ui/ago.tsx";
import { lazyComponent } from "../../ui/lazy-component.ts";
import { Loaded } from "../../ui/states.tsx";

const dialogs = () => import("./two-factor-dialogs.tsx");
const SetUpDialog = lazyComponent(dialogs, "SetUpDialog");
const NewCodesDialog = lazyComponent(dialogs, "NewCodesDialog");
const TurnOffDialog = lazyComponent(dialogs, "TurnOffDialog");

/** Fewer codes than this are worth a warning. */
const FEW_CODES = 3;

export function TwoFactor() {
  const factor = useSecondFactor();
  const [open, setOpen] = useState<"set-up" | "codes" | "off">();
  const close = (): void => setOpen(undefined);
  return (
    <section className="card pad stack" aria-label="Two-factor authentication">
      <h2>Two-factor authentication</h2>
      <Loaded query={factor} rows={1}>
        {({ enabled, enabledAt, recoveryCodesLeft }) =>
          enabled ? (
            <>
              <p>
                <span className="chip dot ok">On</span> since <Ago at={enabledAt ?? ""} />. Signing in needs a
                code of your authenticator app.
              </p>
              <p className={recoveryCodesLeft < FEW_CODES ? "notice wait" : "muted"}>
                Recovery codes left: {recoveryCodesLeft}
              </p>
              <div className="row wrap">
                <button type="button" className="btn" onClick={() => setOpen("codes")}>
                  New recovery codes
                </button>
                <button type="button" className="btn danger" onClick={() => setOpen("off")}>
                  Turn off
                </button>
              </div>
            </>
          ) : (
            <>
              <p className="muted">
                Ask for a code of an authenticator app when you sign in. A stolen password is then not enough.
              </p>
              <div className="row wrap">
                <button type="button" className="btn go" onClick={() => setOpen("set-up")}>
                  Set up
                </button>
              </div>
            </>
          )
        }
      </Loaded>
      <Suspense>
        {open === "set-up" && <SetUpDialog onClose={close} />}
        {open === "codes" && <NewCodesDialog onClose={close} />}
        {open === "off" && <TurnOffDialog onClose={close} />}
      </Suspense>
    </section>
  );
}
