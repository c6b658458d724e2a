// Runs before the first paint, so that a dark page never flashes white. A separate file, because the
// Content-Security-Policy forbids inline scripts.
(() => {
  const system = matchMedia("(prefers-color-scheme: dark)");
  const { dataset } = document.documentElement;
  function apply() {
    try {
      dataset.chosenTheme = localStorage.getItem("baton.theme") ?? "";
    } catch {
      // Without access to storage, a choice counts until the page is closed.
    }
    dataset.theme = dataset.chosenTheme || (system.matches ? "dark" : "light");
  }
  apply();
  system.addEventListener("change", apply);
})();
