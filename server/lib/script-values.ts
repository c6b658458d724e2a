import type { Scope } from "../../contract/placeholders/render.ts";

/** The variables of code and expressions: the values of placeholders, `now` as the ISO time of `{{now}}`. */
export function scriptValues(scope: Omit<Scope, "secrets">): Readonly<Record<string, unknown>> {
  const { input = null, steps = {}, vars = {}, item, index, trigger, task, workflow, now } = scope;
  const time = now === undefined ? undefined : new Date(now).toISOString();
  return { input, steps, vars, item, index, trigger, task, workflow, now: time };
}
