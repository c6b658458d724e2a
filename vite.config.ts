import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig, type ProxyOptions } from "vite";

const service = `http://127.0.0.1:${process.env["PORT"] ?? "3000"}`;

export default defineConfig({
  root: fileURLToPath(new URL("web", import.meta.url)),
  plugins: [react()],
  build: {
    outDir: fileURLToPath(new URL("dist/web", import.meta.url)),
    emptyOutDir: true,
    target: "es2022",
    // Inlined fonts would need `data:` in the Content-Security-Policy.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 900,
  },
  server: { proxy: proxyTo(service) },
});

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
