import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin, type ProxyOptions } from "vite";

const service = `http://127.0.0.1:${process.env["PORT"] ?? "3000"}`;

export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  plugins: [react(), publicPages()],
  build: {
    rollupOptions: {
      input: {
        index: fileURLToPath(new URL("index.html", import.meta.url)),
        // The public pages of forms and chats are small and load none of the rest.
        form: fileURLToPath(new URL("form.html", import.meta.url)),
        chat: fileURLToPath(new URL("chat.html", import.meta.url)),
      },
    },
    outDir: fileURLToPath(new URL("../dist/web", import.meta.url)),
    emptyOutDir: true,
    target: "es2022",
    // Inlined fonts would need `data:` in the Content-Security-Policy.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 900,
  },
  server: { proxy: proxyTo(service) },
});

/** The dev server answers `/f/<slug>` and `/chat/<slug>` with their pages, as the service does. */
function publicPages(): Plugin {
  return {
    name: "public-pages",
    configureServer: ({ middlewares }) =>
      void middlewares.use((request, _response, next) => {
        if (request.url?.startsWith("/f/") === true) request.url = "/form.html";
        if (request.url?.startsWith("/chat/") === true) request.url = "/chat.html";
        next();
      }),
  };
}

/** What the dev server of `npm run dev` forwards to the service. */
export function proxyTo(target: string): Record<string, ProxyOptions> {
  return {
    // Except the modules of web/api/, which the dev server itself serves under /api/.
    "^/api/(?![^?]*\\.ts(\\?|$))": { target },
    "/health": { target },
    "/webhook": { target },
    "/a2a": { target },
    "/socket.io": { target, ws: true },
  };
}
