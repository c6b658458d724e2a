import { type RefObject, useLayoutEffect, useRef } from "react";

const MAIN = "main";
const places = new Map<string, number>();
let here = location.href;
let cameBack = false;

/** The router tells of its steps with these events, while the screen that is left still stands. */
function leaveBy(event: "popstate" | "pushState" | "replaceState"): void {
  addEventListener(event, () => {
    const main = document.getElementById(MAIN);
    if (main !== null && event !== "replaceState") places.set(here, main.scrollTop);
    here = location.href;
    cameBack = event === "popstate" || (cameBack && event === "replaceState");
  });
}
leaveBy("popstate");
leaveBy("pushState");
leaveBy("replaceState");

/**
 * Back leads to the place in a list that the person left, as on a page whose document scrolls. The browser remembers
 * only the document's place, and here the part below the bar scrolls.
 */
export function useScrollMemory(): { id: string; ref: RefObject<HTMLElement | null> } {
  const ref = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    if (cameBack && ref.current !== null) ref.current.scrollTop = places.get(location.href) ?? 0;
  }, []);
  return { id: MAIN, ref };
}
