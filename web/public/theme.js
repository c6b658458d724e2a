// Runs before the first paint, so that a dark page never flashes white. A file of its own: the policy allows no inline script.
(() => {
  let chosen = null;
  try {
    chosen = localStorage.getItem("baton.theme");
  } catch {
    // Storage may be closed; the system's choice holds then.
  }
  const dark = chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  document.documentElement.dataset.theme = dark ? "dark" : "light";
})();
