import { existsSync } from "node:fs";
import sparticuz from "@sparticuz/chromium";
import { type BrowserServer, chromium, type LaunchOptions } from "playwright-core";

/** A Chromium that comes with an npm package on Linux x64; elsewhere the Chrome that is installed. Never a skipped test. */
export async function launchBrowserServer(): Promise<BrowserServer> {
  const options: LaunchOptions = { args: ["--no-sandbox", "--disable-gpu", "--font-render-hinting=none"] };
  const own = process.env["BATON_CHROME"];
  if (own !== undefined && existsSync(own)) return chromium.launchServer({ ...options, executablePath: own });
  if (process.platform === "linux" && process.arch === "x64")
    return chromium.launchServer({ ...options, executablePath: await sparticuz.executablePath() });
  return chromium.launchServer({ ...options, channel: "chrome" });
}
