// Bundles the page into dist/web and compresses every text file with gzip and brotli, so that the service never
// compresses at run time.
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { build } from "vite";
import { root } from "./prepare.mjs";

/** Builds into a temporary folder and renames it, so that a running service never serves half a page. */
async function buildWeb() {
  mkdirSync(join(root, "dist"), { recursive: true });
  // With NODE_ENV=test, inherited from a test that builds, Vite would bundle the development build of React.
  process.env["NODE_ENV"] = "production";
  const out = mkdtempSync(join(root, "dist", ".web-"));
  try {
    await build({
      configFile: join(root, "web", "vite.config.ts"),
      logLevel: "warn",
      build: { outDir: out },
    });
    // PDF.js loads these when a document does not embed its fonts.
    const pdf = join(root, "node_modules", "pdfjs-dist");
    for (const folder of ["cmaps", "standard_fonts"])
      cpSync(join(pdf, folder), join(out, "pdf", folder), { recursive: true });
    for (const path of readdirSync(out, { recursive: true }))
      if (/\.(js|mjs|css|html|svg)$/.test(path)) compress(join(out, path));
    const target = join(root, "dist", "web");
    rmSync(target, { recursive: true, force: true });
    // mkdtemp creates the folder with mode 0700, but the service may run as another user.
    chmodSync(out, 0o755);
    renameSync(out, target);
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
}

function compress(file) {
  const bytes = readFileSync(file);
  writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }));
  writeFileSync(`${file}.br`, brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }));
}

await buildWeb();
