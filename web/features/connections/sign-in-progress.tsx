import type { SignIn } from "./use-sign-in.ts";

/** What happens with the sign-in, and a link for the case that its window is blocked or gone. */
export function SignInProgress({ signIn }: { signIn: SignIn }) {
  const { state, url, isBlocked, isLeft, problem, repeat, cancel } = signIn;
  if (problem !== undefined)
    return (
      <div className="notice bad" role="alert">
        {problem}
      </div>
    );
  if (state !== "waiting") return null;
  if (isLeft && !isBlocked)
    return (
      <div className="notice wait" role="status">
        <span className="grow">The sign-in is not finished. If you closed its window, sign in again.</span>
        <button type="button" className="btn tiny" onClick={repeat}>
          Sign in again
        </button>
        <button type="button" className="btn tiny ghost" onClick={cancel}>
          Cancel
        </button>
      </div>
    );
  return (
    <div className="notice wait" role="status">
      <span className="grow">
        {isBlocked ? "The browser blocked the sign-in window." : "Sign in in the other window. "}{" "}
        <a href={url} target="_blank" rel="noopener noreferrer">
          {isBlocked ? "Open the sign-in page" : "Open it again"}
        </a>
      </span>
      <button type="button" className="btn tiny" onClick={cancel}>
        Cancel
      </button>
    </div>
  );
}
