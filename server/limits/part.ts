import type { Part, Platform } from "../platform/part.ts";
import { limitRoutes } from "./limits.routes.ts";

export function createLimitsPart({ limits }: Platform): Part {
  return { routes: (http) => limitRoutes(http, limits) };
}
