import type { TestProject } from "vitest/node";
import { launchBrowserServer } from "./browser.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** WebSocket address of the browser that all test files share. */
    browserAddress: string;
  }
}

/** One browser for all test files; each visit uses its own profile. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await launchBrowserServer();
  project.provide("browserAddress", server.wsEndpoint());
  return () => server.close();
}
