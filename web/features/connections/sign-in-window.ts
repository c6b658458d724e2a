import { tabValues } from "../../api/browser-storage.ts";

/** What the callback page says to the page that opened the sign-in window. */
export interface SignInResult {
  /** The `state` of the authorization, by which a page knows its own sign-in. */
  state: string | null;
  /** The reason, when the sign-in did not work. */
  problem?: string;
}

const CHANNEL = "baton.connections";
const MARK = "baton.sign-in-window";

/** Must be called in the handler of a click: later a browser blocks it. Undefined when it is blocked all the same. */
export function openSignInWindow(): Window | undefined {
  const opened = window.open("about:blank", "_blank", "popup,width=560,height=720") ?? undefined;
  // The mark stays with the window; its name and its opener are lost with the first page of another origin.
  try {
    opened?.sessionStorage.setItem(MARK, "true");
  } catch {
    // Blocked storage: the window stays open after the sign-in.
  }
  return opened;
}

/**
 * A channel reaches pages of this origin only. `window.opener` does not work here: the header Cross-Origin-Opener-Policy
 * separates the window from this page as soon as it shows the sign-in of another origin.
 */
export function onSignIn(listener: (result: SignInResult) => void): () => void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.addEventListener("message", ({ data }: MessageEvent<SignInResult>) => listener(data));
  return () => channel.close();
}

export function tellSignIn(result: SignInResult): void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.postMessage(result);
  channel.close();
}

export function isSignInWindow(): boolean {
  return tabValues.read(MARK) !== null;
}
