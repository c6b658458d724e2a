import type { ProposedTrigger } from "../../../contract/generation.ts";
import type { Graph } from "../../../contract/graph.ts";

/** A built-in template. Its id is readable, because it is used in scripts. */
export interface Starter {
  id: string;
  name: string;
  description: string;
  category: string;
  /** What is meant to start it. The page offers it once the workflow is created. */
  trigger?: ProposedTrigger;
  metadata: Graph;
}
