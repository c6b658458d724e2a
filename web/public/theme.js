// Runs before the first paint, so that a dark page never flashes white. A separate file, because the
// Content-Security-Policy forbids inline scripts.
(() => {
  const system = matchMedia("(prefers-color-scheme: dark)");
  function apply() {
    let stored = null;
    try {
      stored = localStorage.getItem("baton.theme");
    } catch {
      // Without access to storage, the system setting applies.
    }
    const dark = stored ? stored === "dark" : system.matches;
    document.documentElement.dataset.theme = dark ? "dark" : "light";
  }
  apply();
  system.addEventListener("change", apply);
})();
