import type { Part, Platform } from "../platform/part.ts";
import { createStats } from "./stats.ts";
import { statsRoutes } from "./stats.routes.ts";
import { createStatsStore } from "./stats.sql.ts";

/** Statistics of runs. */
export function createStatsPart({ clock, db }: Platform): Part {
  const store = createStatsStore(db);
  const stats = createStats({ store, clock });
  return {
    routes: (http) => statsRoutes(http, stats),
    eraseOwner: (ownerId, batches) => batches.deleteAll((limit) => store.removeHours(ownerId, limit)),
  };
}
