import { createRequire } from "node:module";
import { dirname, join, sep } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * The folder of the character maps that Chinese, Japanese and Korean PDFs name without containing them. The build copies
 * them to dist/, because pdfjs-dist itself is only a package of the page.
 */
export const CMAP_FOLDER: string = import.meta.url.endsWith(".ts")
  ? join(dirname(createRequire(import.meta.url).resolve("pdfjs-dist/package.json")), "cmaps") + sep
  : fileURLToPath(new URL("../cmaps/", import.meta.url));
