import type { SourceLink } from "../source/source.ts";

/**
 * n8n runs a node once for each item that arrives; Baton runs a step once. The rule of the import:
 *
 * - Every step has one object, or a list that stands for several items.
 * - Steps that n8n runs once per item, after a step with a list, go into a `foreach` over that list, with all steps
 *   that follow them, up to the steps that take all items.
 * - `Loop Over Items` is a `foreach` with the nodes of its loop inside; the line back to it goes.
 * - Any other line back is removed, and the node where it began is marked to check.
 * - Where lines with lists and lines without meet, the first item is taken, and the node is marked to check.
 */
export interface Plan {
  /** Nodes in the order in which they can run. */
  order: readonly string[];
  loopOf: ReadonlyMap<string, string>;
  loops: ReadonlyMap<string, Loop>;
  /** Without lines back and lines into a loop. */
  links: readonly SourceLink[];
  /** Lines that were left out, by the node where they began. */
  removed: ReadonlyMap<string, string[]>;
}

export interface Loop {
  id: string;
  /** The scope that the loop is in; undefined for the workflow. */
  parent: string | undefined;
  /** The node that is the loop; undefined for one that the import adds. */
  node: string | undefined;
  /** The node whose list it goes through. */
  over: string;
}
