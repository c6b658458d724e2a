import type { Graph } from "../../../contract/graph.ts";

/** A built-in template. Its id is readable, because people put it into scripts. */
export interface Starter {
  id: string;
  name: string;
  description: string;
  category: string;
  metadata: Graph;
}
