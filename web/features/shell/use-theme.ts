import { useSyncExternalStore } from "react";
import { localValues } from "../../api/browser-storage.ts";

type Theme = "light" | "dark";

/** `/theme.js` sets the theme before the first paint and follows the system until a person chooses; this hook toggles it. */
export function useTheme(): [Theme, () => void] {
  const theme = useSyncExternalStore(subscribe, currentTheme);
  function toggle(): void {
    const next = theme === "dark" ? "light" : "dark";
    localValues.save("baton.theme", next);
    Object.assign(document.documentElement.dataset, { theme: next, chosenTheme: next });
  }
  return [theme, toggle];
}

function currentTheme(): Theme {
  return document.documentElement.dataset["theme"] === "dark" ? "dark" : "light";
}

function subscribe(onChange: () => void): () => void {
  const observer = new MutationObserver(onChange);
  observer.observe(document.documentElement, { attributeFilter: ["data-theme"] });
  return () => observer.disconnect();
}
