import type { Problem } from "../../contract/graph.ts";
import { innerGraph } from "../../contract/graph/step-references.ts";
import { isRecord } from "../../contract/placeholders/json-value.ts";

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
    const steps = connectedSteps(graph).slice(0, MAX_WARNINGS);
    if (steps.length === 0) return [];
    const ids = steps.map(({ connection }) => connection);
    const existing = await known(ownerId, ids);
    return steps
      .filter(({ connection }) => !existing.has(connection))
      .map(({ stepId, needed }) => ({
        code: "unknown_connection",
        message: `Step "${stepId}" names a connection that you do not have. Create one for ${needed} and choose it.`,
        stepId,
      }));
  };
}

/** Steps that name a connection, those inside loops included, with the service that it is for. */
function connectedSteps({ steps }: StepsGraph): { stepId: string; connection: string; needed: string }[] {
  return steps.filter(isRecord).flatMap((step) => {
    const inside = connectedSteps(innerGraph(step) ?? { steps: [] });
    const { stepId, connection } = step;
    if (typeof connection !== "string" || connection === "") return inside;
    return [{ stepId: String(stepId), connection, needed: neededBy(step) }, ...inside];
  });
}

function neededBy({ app, url, type }: Record<string, unknown>): string {
  if (typeof app === "string") return `the app ${app.slice(0, 80)}`;
  if (typeof url === "string" && URL.canParse(url)) return new URL(url).host;
  return `the ${String(type).slice(0, 40)} step`;
}
