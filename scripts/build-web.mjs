// Bundles the page into dist/web and packs every text file twice, so that the service never compresses at run time.
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

/** Built beside and moved into place whole: a service that is running never serves half a page. */
async function buildWeb() {
  mkdirSync(join(root, "dist"), { recursive: true });
  // Vite would take over NODE_ENV=test from a test that builds, and with it the slow half of React.
  process.env["NODE_ENV"] = "production";
  const out = mkdtempSync(join(root, "dist", ".web-"));
  try {
    await build({ configFile: join(root, "vite.config.ts"), logLevel: "warn", build: { outDir: out } });
    // What the PDF reader fetches when a document does not carry its own fonts.
    const pdf = join(root, "node_modules", "pdfjs-dist");
    for (const folder of ["cmaps", "standard_fonts"])
      cpSync(join(pdf, folder), join(out, "pdf", folder), { recursive: true });
    for (const path of readdirSync(out, { recursive: true }))
      if (/\.(js|mjs|css|html|svg)$/.test(path)) pack(join(out, path));
    const target = join(root, "dist", "web");
    rmSync(target, { recursive: true, force: true });
    // A temporary folder is its maker's alone, and the service may run as somebody else.
    chmodSync(out, 0o755);
    renameSync(out, target);
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
}

function pack(file) {
  const bytes = readFileSync(file);
  writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }));
  writeFileSync(`${file}.br`, brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }));
}

await buildWeb();
