import { Suspense, useState } from "react";
import { useRoute } from "wouter";
import { useLoginMethods } from "../../api/accounts.ts";
import { lazyComponent } from "../../ui/lazy-component.ts";
import { Skeleton } from "../../ui/states.tsx";
import { AccountCard } from "./account-card.tsx";
import { PasswordSignIn } from "./password-sign-in.tsx";
import { ProviderButton } from "./provider-button.tsx";

const CodeForm = lazyComponent(() => import("./code-form.tsx"), "CodeForm");
const ForgotPassword = lazyComponent(() => import("./forgot-password.tsx"), "ForgotPassword");

export function SignIn() {
  const methods = useLoginMethods();
  const [isInvitation] = useRoute("/invitations/:token");
  const [wantsAccount, setWantsAccount] = useState<boolean>();
  const [challenge, setChallenge] = useState<string>();
  const [forgot, setForgot] = useState(false);
  if (challenge !== undefined)
    return (
      <AccountCard title="Enter your code" text="From your authenticator app, or a recovery code.">
        <Suspense fallback={<Skeleton rows={1} />}>
          <CodeForm challenge={challenge} onRestart={() => setChallenge(undefined)} />
        </Suspense>
      </AccountCard>
    );
  if (forgot)
    return (
      <AccountCard title="Forgot password?" text="We mail you a link to choose a new one.">
        <Suspense fallback={<Skeleton rows={1} />}>
          <ForgotPassword onBack={() => setForgot(false)} />
        </Suspense>
      </AccountCard>
    );
  const provider = methods.data?.provider ?? null;
  // Until the methods are known, the form is shown: it is what most instances have.
  const withPassword = methods.data?.password ?? true;
  const mayRegister = methods.data?.registration !== "closed";
  const registering = wantsAccount ?? (mayRegister && methods.data?.hasAccounts === false);
  return (
    <AccountCard
      title={registering ? "Create account" : "Sign in"}
      text={
        isInvitation
          ? "You are invited to a workspace. Sign in or create an account to join it."
          : "Durable workflows on your own machine."
      }
    >
      {provider !== null && <ProviderButton label={provider.label} isOnly={!withPassword} />}
      {provider !== null && withPassword && <div className="or">or</div>}
      {withPassword && (
        <PasswordSignIn
          registering={registering}
          onChallenge={setChallenge}
          {...(methods.data?.mail === true ? { onForgot: () => setForgot(true) } : {})}
        />
      )}
      {withPassword && mayRegister && (
        <button type="button" className="btn ghost" onClick={() => setWantsAccount(!registering)}>
          {registering ? "I already have an account" : "New here? Create an account"}
        </button>
      )}
    </AccountCard>
  );
}
