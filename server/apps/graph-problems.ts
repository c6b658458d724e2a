import { apps as builtIn } from "../../apps/all.ts";
import type { App } from "../../apps/define-app.ts";
import { inputSchemaOf } from "../../contract/apps.ts";
import type { Problem } from "../../contract/graph.ts";
import { isDisabled } from "../../contract/graph/disabled.ts";
import { isMisspelling } from "../../contract/graph/misspelled-fields.ts";
import { innerGraph } from "../../contract/graph/step-references.ts";
import { checkInput } from "../../contract/input/check-input.ts";
import { readTexts } from "../../contract/input/read-texts.ts";
import { isRecord, type JsonValue } from "../../contract/placeholders/json-value.ts";
import { inputFieldsOf } from "./app-input.ts";

/** Apps that a user made from an OpenAPI document. They are checked when the step runs. */
const OWN_APP = /^api_/;

/** Unknown apps and actions, and inputs that are missing or wrong. Values with placeholders are known only in a run. */
export function appProblems(
  { steps }: { steps: readonly unknown[] },
  apps: readonly App[] = builtIn,
): Problem[] {
  return steps.flatMap((step) => {
    if (!isRecord(step) || isDisabled(step)) return [];
    const inner = innerGraph(step);
    const inside = inner === undefined ? [] : appProblems(inner, apps);
    if (step["type"] !== "app" || OWN_APP.test(String(step["app"]))) return inside;
    const stepId = String(step["stepId"]);
    const own = stepProblems(step, apps).map(({ code, fact }) => ({
      code,
      message: `Step "${stepId}": ${fact}`,
      stepId,
    }));
    return [...own, ...inside];
  });
}

interface Found {
  code: "missing_field" | "invalid_field";
  fact: string;
}

function stepProblems(
  { app: appId, action: actionId, input }: Record<string, unknown>,
  apps: readonly App[],
): Found[] {
  const app = apps.find(({ id }) => id === appId);
  if (app === undefined)
    return [invalid(`there is no app "${shortened(appId)}". GET /api/apps lists the apps.`)];
  const action = Object.hasOwn(app.actions, String(actionId)) ? app.actions[String(actionId)] : undefined;
  if (action === undefined) {
    const known = Object.keys(app.actions).join(", ");
    return [invalid(`${app.title} has no action "${shortened(actionId)}". Choose one of ${known}.`)];
  }
  const given = input ?? {};
  if (!isRecord(given)) return [];
  const fields = inputFieldsOf(action);
  const isOpen = (name: string) => JSON.stringify(given[name] ?? null).includes("{{");
  const unknown = Object.keys(given).filter((name) => !Object.hasOwn(fields, name));
  const missing = Object.keys(fields).filter(
    (name) =>
      fields[name]?.required && (given[name] === undefined || given[name] === null || given[name] === ""),
  );
  // Required fields are checked above, with their own code.
  const schema = { ...inputSchemaOf(fields), required: [] };
  const fixed = Object.fromEntries(
    Object.entries(given).filter(
      ([name, value]) => Object.hasOwn(fields, name) && value !== null && value !== "" && !isOpen(name),
    ),
  ) as JsonValue;
  const { problems } = checkInput(schema, readTexts(schema, fixed));
  return [
    ...missing.map((name) => ({
      code: "missing_field" as const,
      fact: `the input "${name}" (${fields[name]?.title}) of ${app.title} is required.`,
    })),
    ...unknown.map((name) =>
      invalid(
        `${app.title} has no input "${shortened(name)}" for this action.${suggestion(name, Object.keys(fields))} Choose one of ${Object.keys(fields).join(", ")}.`,
      ),
    ),
    ...Object.values(problems ?? {}).map((sentence) => invalid(`in the input, ${sentence}`)),
  ];
}

function suggestion(name: string, known: readonly string[]): string {
  const meant = known.find((each) => isMisspelling(name, each));
  return meant === undefined ? "" : ` Did you mean "${meant}"?`;
}

function invalid(fact: string): Found {
  return { code: "invalid_field", fact };
}

function shortened(value: unknown): string {
  return String(value).slice(0, 80);
}
