import type { TestProject } from "vitest/node";
import { launchBrowserServer } from "./browser.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Where the one browser of all files listens. */
    browserAddress: string;
  }
}

/** One browser for all files: each visit has a profile of its own in it. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await launchBrowserServer();
  project.provide("browserAddress", server.wsEndpoint());
  return () => server.close();
}
