import type { Part, Platform } from "../platform/part.ts";
import type { WorkflowsPart } from "../workflows/part.ts";
import { createStats } from "./stats.ts";
import { statsRoutes } from "./stats.routes.ts";
import { createStatsStore } from "./stats.sql.ts";

/** Statistics of runs. */
export function createStatsPart(
  { clock, db }: Platform,
  { withStepTitles }: Pick<WorkflowsPart, "withStepTitles">,
): Part {
  const store = createStatsStore(db);
  const stats = createStats({ store, clock });
  return {
    routes: (http) => statsRoutes(http, stats, withStepTitles),
    eraseOwner: (ownerId, batches) => batches.deleteAll((limit) => store.removeHours(ownerId, limit)),
  };
}
