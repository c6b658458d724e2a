import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

const service = `http://127.0.0.1:${process.env["PORT"] ?? "3000"}`;

export default defineConfig({
  root: fileURLToPath(new URL("web", import.meta.url)),
  plugins: [react()],
  build: {
    outDir: fileURLToPath(new URL("dist/web", import.meta.url)),
    emptyOutDir: true,
    target: "es2022",
    // Data addresses would need a wider Content-Security-Policy for fonts.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 900,
  },
  // The page of `npm run dev`: with hot reload, everything else from the service.
  server: {
    proxy: {
      "/api": service,
      "/health": service,
      "/webhook": service,
      "/a2a": service,
      "/socket.io": { target: service, ws: true },
    },
  },
});
