import { existsSync } from "node:fs";
import sparticuz from "@sparticuz/chromium";
import { type BrowserServer, chromium, type LaunchOptions } from "playwright-core";

/** Chromium from an npm package on Linux x64, the installed Chrome elsewhere: browser tests are never skipped. */
export async function launchBrowserServer(): Promise<BrowserServer> {
  const options: LaunchOptions = { args: ["--no-sandbox", "--disable-gpu", "--font-render-hinting=none"] };
  const configured = process.env["BATON_CHROME"];
  if (configured !== undefined && existsSync(configured))
    return chromium.launchServer({ ...options, executablePath: configured });
  if (process.platform === "linux" && process.arch === "x64")
    return chromium.launchServer({ ...options, executablePath: await sparticuz.executablePath() });
  return chromium.launchServer({ ...options, channel: "chrome" });
}
