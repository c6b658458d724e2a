import type { Role } from "../../contract/roles.ts";
import { assertRole } from "../security/roles.ts";
import type { RunVersion } from "./tasks.ts";
import type { VersionChoice } from "../../contract/tasks.ts";

/** The least role that tests workflows: what operators run has passed every approval of the published version. */
export const TESTING_ROLE: Role = "builder";

/** A draft or an older version may lack an approval. */
export function assertMayChoose(role: Role, version: RunVersion | VersionChoice | undefined): void {
  if (version === "draft" || typeof version === "number") assertRole(role, TESTING_ROLE);
}
