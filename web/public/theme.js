// Runs before the first paint, so that a dark page never flashes white. A separate file, because the
// Content-Security-Policy forbids inline scripts.
(() => {
  let stored = null;
  try {
    stored = localStorage.getItem("baton.theme");
  } catch {
    // Without access to storage, the system setting applies.
  }
  const dark = stored ? stored === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  document.documentElement.dataset.theme = dark ? "dark" : "light";
})();
