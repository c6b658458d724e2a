import { useState } from "react";

type Theme = "light" | "dark";

/** `/theme.js` sets the theme before the first paint; this hook toggles it. */
export function useTheme(): [Theme, () => void] {
  const [theme, setTheme] = useState<Theme>(
    document.documentElement.dataset["theme"] === "dark" ? "dark" : "light",
  );
  function toggle(): void {
    const next = theme === "dark" ? "light" : "dark";
    document.documentElement.dataset["theme"] = next;
    localStorage.setItem("baton.theme", next);
    setTheme(next);
  }
  return [theme, toggle];
}
