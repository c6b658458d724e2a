import { ensureBuilt } from "../../support/service-process.ts";

/** A test file that runs alone would otherwise open the page of the last build, without the changes that it tests. */
export function setup(): void {
  ensureBuilt();
}
