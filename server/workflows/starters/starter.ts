import type { Graph } from "../../../contract/graph.ts";

/** A built-in template. Its id is readable, because it is used in scripts. */
export interface Starter {
  id: string;
  name: string;
  description: string;
  category: string;
  metadata: Graph;
}
