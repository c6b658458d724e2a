import { statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";

const folder = fileURLToPath(new URL("../../../dist/web", import.meta.url));

export interface Weight {
  /** Gzipped bytes of the scripts and styles requested so far. */
  total: () => number;
}

export function weigh(page: Page): Weight {
  const seen = new Set<string>();
  page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    if (/\.(js|css)$/.test(pathname)) seen.add(pathname);
  });
  return { total: () => [...seen].reduce((sum, path) => sum + statSync(`${folder}${path}.gz`).size, 0) };
}
