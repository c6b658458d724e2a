import { createRequire } from "node:module";
import { dirname, join, sep } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * The folder of the character maps that Chinese, Japanese and Korean PDFs name without containing them. In
 * the build they are files of the page, because pdfjs-dist is not installed in production.
 */
export const CMAP_FOLDER: string = import.meta.url.endsWith(".ts")
  ? join(dirname(createRequire(import.meta.url).resolve("pdfjs-dist/package.json")), "cmaps") + sep
  : fileURLToPath(new URL("../web/pdf/cmaps/", import.meta.url));
