// Bundles the page into dist/web and packs every text file twice, so that the service never compresses at run time.
import { cpSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { build } from "vite";
import { root } from "./prepare.mjs";

const out = join(root, "dist", "web");

export async function buildWeb() {
  await build({ configFile: join(root, "vite.config.ts"), logLevel: "warn" });
  // What the PDF reader fetches when a document does not carry its own fonts.
  const pdf = join(root, "node_modules", "pdfjs-dist");
  for (const folder of ["cmaps", "standard_fonts"]) cpSync(join(pdf, folder), join(out, "pdf", folder), { recursive: true });
  for (const path of readdirSync(out, { recursive: true })) if (/\.(js|mjs|css|html|svg)$/.test(path)) pack(join(out, path));
}

function pack(file) {
  const bytes = readFileSync(file);
  writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }));
  writeFileSync(`${file}.br`, brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }));
}
