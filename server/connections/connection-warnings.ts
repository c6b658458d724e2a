import type { Problem } from "../../contract/graph.ts";
import { allSteps } from "../../contract/graph/all-steps.ts";
import { missingNames } from "../lib/missing-names.ts";

const MAX_WARNINGS = 100;

interface StepsGraph {
  steps: readonly unknown[];
}

export type RecordWarnings = (ownerId: string, graph: StepsGraph) => Promise<Problem[]>;

/** Warns about steps whose connection does not exist, as after an import. A graph without connections costs nothing. */
export function createConnectionWarnings(
  known: (ownerId: string, ids: readonly string[]) => Promise<ReadonlySet<string>>,
): RecordWarnings {
  return async (ownerId, graph) => {
    const steps = allSteps(graph).flatMap((step) => {
      const { connection } = step;
      return typeof connection === "string" && connection !== "" ? [{ connection, step }] : [];
    });
    const missing = await missingNames(
      steps.map(({ connection }) => connection),
      (ids) => known(ownerId, ids),
    );
    return steps
      .filter(({ connection }) => missing.has(connection))
      .slice(0, MAX_WARNINGS)
      .map(({ step }) => ({
        code: "unknown_connection",
        message: `Step "${String(step["stepId"])}" names a connection that you do not have. Create one for ${neededBy(step)} and choose it.`,
        stepId: String(step["stepId"]),
      }));
  };
}

function neededBy({ app, url, type }: Record<string, unknown>): string {
  if (typeof app === "string") return `the app ${app.slice(0, 80)}`;
  if (typeof url === "string" && URL.canParse(url)) return new URL(url).host;
  return `the ${String(type).slice(0, 40)} step`;
}
