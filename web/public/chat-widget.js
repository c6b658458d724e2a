// Embeds a chat in another site: <script src="https://baton.example/chat-widget.js" data-chat="support" async></script>
// The chat itself is a frame of the service, so that neither page can read the other.
(() => {
  const script = document.currentScript;
  const slug = script?.dataset.chat;
  if (!slug) return console.error("chat-widget.js needs the attribute data-chat with the name of a chat.");
  const origin = new URL(script.src).origin;
  const label = script.dataset.label || "Chat";

  const style = new CSSStyleSheet();
  style.replaceSync(`
    :host { position: fixed; right: 16px; bottom: 16px; z-index: 2147483000; color-scheme: light dark; }
    button { width: 56px; height: 56px; border: 0; border-radius: 50%; background: #0f6b5c; color: #fff; cursor: pointer;
      display: grid; place-items: center; box-shadow: 0 2px 6px rgb(0 0 0 / .16), 0 10px 28px rgb(0 0 0 / .2); }
    button:hover { background: #0c584c; }
    button:focus-visible { outline: 3px solid #0f6b5c; outline-offset: 3px; }
    iframe { position: absolute; right: 0; bottom: 68px; width: min(400px, calc(100vw - 32px)); height: min(620px, calc(100dvh - 116px));
      border: 1px solid rgb(128 128 128 / .35); border-radius: 14px; box-shadow: 0 18px 48px rgb(0 0 0 / .24); background: Canvas; }
    iframe[hidden] { display: none; }`);
  const host = document.createElement("div");
  const root = host.attachShadow({ mode: "open" });
  root.adoptedStyleSheets = [style];

  const button = document.createElement("button");
  button.type = "button";
  button.setAttribute("aria-expanded", "false");
  button.setAttribute("aria-label", label);
  const svg = (path) =>
    `<svg width="24" height="24" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><path d="${path}"/></svg>`;
  const icons = {
    open: svg("M21 12a8 8 0 0 1-8 8H4l2-3a8 8 0 1 1 15-5Z"),
    close: svg("M6 6l12 12M18 6L6 18"),
  };
  button.innerHTML = icons.open;
  root.append(button);

  let frame;
  function toggle(isOpen) {
    if (isOpen && frame === undefined) {
      // Loaded with the first click: visitors who do not chat load nothing more.
      frame = document.createElement("iframe");
      frame.title = label;
      frame.src = `${origin}/chat/${encodeURIComponent(slug)}`;
      root.prepend(frame);
    }
    if (frame !== undefined) frame.hidden = !isOpen;
    button.setAttribute("aria-expanded", String(isOpen));
    button.innerHTML = isOpen ? icons.close : icons.open;
    if (isOpen) frame.focus();
    else button.focus();
  }
  button.addEventListener("click", () => toggle(button.getAttribute("aria-expanded") !== "true"));
  window.addEventListener("message", (event) => {
    if (event.origin === origin && event.source === frame?.contentWindow && event.data === "baton-chat-close")
      toggle(false);
  });
  const mount = () => document.body.append(host);
  if (document.body) mount();
  else document.addEventListener("DOMContentLoaded", mount);
})();
