import { type RefObject, useLayoutEffect, useRef } from "react";

const MAIN_ID = "main";
const scrollTops = new Map<string, number>();
let currentUrl = location.href;
let isBack = false;

/** The router dispatches these events while the previous screen is still mounted. */
function recordOn(event: "popstate" | "pushState" | "replaceState"): void {
  addEventListener(event, () => {
    const main = document.getElementById(MAIN_ID);
    if (main !== null && event !== "replaceState") scrollTops.set(currentUrl, main.scrollTop);
    currentUrl = location.href;
    isBack = event === "popstate" || (isBack && event === "replaceState");
  });
}
recordOn("popstate");
recordOn("pushState");
recordOn("replaceState");

/**
 * Restores the scroll position on "back". The browser does this for the document only; here the part below the top bar
 * scrolls.
 */
export function useScrollRestoration(): { id: string; ref: RefObject<HTMLElement | null> } {
  const ref = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    if (isBack && ref.current !== null) ref.current.scrollTop = scrollTops.get(location.href) ?? 0;
  }, []);
  return { id: MAIN_ID, ref };
}
