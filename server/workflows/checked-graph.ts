import type { Problem } from "../../contract/graph.ts";
import { validateGraph } from "../../contract/graph/validate.ts";
import { AppError } from "../lib/errors.ts";
import type { LooseGraph } from "./workflow-record.ts";

/** The door every graph goes through before it is stored; throws with all errors, returns the warnings. */
export function checkGraph(graph: LooseGraph, maxSteps: number): Problem[] {
  const { errors, warnings } = validateGraph(graph, { maxSteps });
  if (errors.length > 0) {
    const [first] = errors;
    const count =
      errors.length === 1 ? "The graph is not valid" : `The graph has ${errors.length} errors, first`;
    throw new AppError("invalid_workflow", `${count}: ${first?.message}`, {
      details: { errors, warnings },
    });
  }
  return warnings;
}
