import { apps as builtIn } from "../../apps/all.ts";
import type { App, AppAction } from "../../apps/define-app.ts";
import { inputFieldsOf } from "./app-input.ts";

/** Apps whose inputs are explained; the prompt is paid for with every generation. */
const MAX_EXPLAINED = 4;

/** The apps for a model that designs workflows: all by name, and those that the description mentions with their actions. */
export function describeApps(description: string, apps: readonly App[] = builtIn): string {
  const words = description.toLowerCase();
  const mentioned = apps.filter(({ id, title }) =>
    [id.replaceAll("-", " "), title.toLowerCase()].some((name) => words.includes(name)),
  );
  return [
    `Apps for steps of the type app: ${apps.map(({ id }) => id).join(", ")}. Leave "connection" out: the user chooses it.`,
    ...mentioned
      .slice(0, MAX_EXPLAINED)
      .flatMap((app) => [
        `Actions of ${app.id}, with their inputs (! is required):`,
        ...Object.entries(app.actions).map(([id, action]) => `  ${id}(${inputsOf(action)})`),
      ]),
  ].join("\n");
}

function inputsOf(action: AppAction): string {
  return Object.entries(inputFieldsOf(action))
    .map(([name, { required }]) => (required ? `${name}!` : name))
    .join(", ");
}
