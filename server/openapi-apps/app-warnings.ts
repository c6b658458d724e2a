import type { Problem } from "../../contract/graph.ts";
import { innerGraph } from "../../contract/graph/step-references.ts";
import { isRecord } from "../../contract/placeholders/json-value.ts";

const MAX_WARNINGS = 100;
/** Looked up with one query, with all of their actions. */
const MAX_APPS = 100;

interface StepsGraph {
  steps: readonly unknown[];
}

export type AppWarnings = (ownerId: string, graph: StepsGraph) => Promise<Problem[]>;

/**
 * Warns about steps whose API or action the owner does not have, as after an import or a refresh. A graph without
 * such steps costs nothing.
 */
export function createAppWarnings(
  known: (ownerId: string, appIds: readonly string[]) => Promise<ReadonlySet<string>>,
): AppWarnings {
  return async (ownerId, graph) => {
    const steps = apiSteps(graph);
    if (steps.length === 0) return [];
    const lookedUp = new Set([...new Set(steps.map(({ app }) => app))].slice(0, MAX_APPS));
    const existing = await known(ownerId, [...lookedUp]);
    const warnings = steps.flatMap(({ stepId, app, action }): Problem[] => {
      if (!lookedUp.has(app)) return [];
      if (!existing.has(app)) {
        const message = `Step "${stepId}" uses an API that you do not have (${app}). Add the API and choose its action "${action}".`;
        return [{ code: "unknown_app", message, stepId }];
      }
      if (existing.has(`${app} ${action}`)) return [];
      const message = `Step "${stepId}" uses the action "${action}", which the API no longer has. Choose another action.`;
      return [{ code: "unknown_app_action", message, stepId }];
    });
    return warnings.slice(0, MAX_WARNINGS);
  };
}

/** Steps with an app of a user, those inside loops included. */
export function apiSteps({ steps }: StepsGraph): { stepId: string; app: string; action: string }[] {
  return steps.filter(isRecord).flatMap((step) => {
    const inside = apiSteps(innerGraph(step) ?? { steps: [] });
    const { stepId, type, app, action } = step;
    if (type !== "app" || typeof app !== "string" || !app.startsWith("api_")) return inside;
    return [
      { stepId: String(stepId), app: app.slice(0, 80), action: String(action ?? "").slice(0, 80) },
      ...inside,
    ];
  });
}
