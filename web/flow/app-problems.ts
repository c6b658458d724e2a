import type { AppDetails } from "../../contract/apps.ts";
import type { Problem, Step } from "../../contract/graph.ts";
import { isDisabled } from "../../contract/graph/disabled.ts";
import type { Draft } from "./draft.ts";
import { innerSteps } from "./inner-steps.ts";

/** An `app` step at any depth. */
export interface AppStep {
  step: Step;
  app: string;
}

export function appSteps(steps: readonly Step[]): AppStep[] {
  return steps.flatMap((step) => [
    ...(step.type === "app" && typeof step["app"] === "string" ? [{ step, app: step["app"] }] : []),
    ...appSteps(innerSteps(step)),
  ]);
}

/** What `app` steps still need. The service checks the same when the workflow is published. */
export function appProblems(draft: Draft, apps: readonly AppDetails[]): Problem[] {
  return appSteps(draft.steps).flatMap(({ step, app: appId }) => {
    const app = apps.find(({ id }) => id === appId);
    const action = app?.actions.find(({ id }) => id === step["action"]);
    if (app === undefined || action === undefined || isDisabled(step)) return [];
    const given = (typeof step["input"] === "object" ? step["input"] : null) ?? {};
    const missing = Object.entries(action.input).filter(([name, { required }]) => {
      const value = (given as Record<string, unknown>)[name];
      return required === true && (value === undefined || value === null || value === "");
    });
    const problem = (fact: string): Problem => ({
      code: "missing_field",
      stepId: step.stepId,
      message: `Step "${step.stepId}": ${fact}`,
    });
    return [
      ...(app.auth.length > 0 && action.needsConnection && typeof step["connection"] !== "string"
        ? [problem('the field "connection" is required.')]
        : []),
      ...missing.map(([name, { title }]) =>
        problem(`the input "${name}" (${title}) of ${app.title} is required.`),
      ),
    ];
  });
}
