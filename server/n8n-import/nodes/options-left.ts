import { recordOf, textOf } from "../source/parameters.ts";
import type { NodeContext } from "./node-context.ts";

/** Groups of n8n whose fields are optional. */
const GROUPS = ["options", "additionalFields", "otherOptions", "updateFields", "filters"];
const MAX_NAMED = 5;

/** Parameters without an effect on what a node does. */
const HARMLESS = new Set([
  "resource",
  "operation",
  "authentication",
  "returnAll",
  "limit",
  "select",
  "simple",
  "mode",
  "notice",
  "requestOptions",
  ...GROUPS,
]);

/** Reports the parameters of a node that are set and have no field here. Names may be paths. */
export function parametersLeft(context: NodeContext, known: readonly string[]): void {
  optionsLeft(context, known);
  const roots = new Set(known.map((name) => name.split(".")[0]));
  const left = Object.entries(context.parameters).filter(
    ([name, value]) => !roots.has(name) && !HARMLESS.has(name) && !isUnset(value),
  );
  reportLeft(
    context,
    left.map(([name]) => name),
  );
}

/** Reports what is set in the options of a node and has no field here. Names are of the group or whole paths. */
export function optionsLeft(context: NodeContext, known: readonly string[]): void {
  const { parameters } = context;
  const left = GROUPS.flatMap((group) =>
    Object.entries(recordOf(parameters[group])).flatMap(([name, value]) =>
      known.some((one) => one === name || one === group || one === `${group}.${name}`) || isUnset(value)
        ? []
        : [name],
    ),
  );
  reportLeft(context, left);
}

function reportLeft({ check }: NodeContext, left: readonly string[]): void {
  const names = [...new Set(left)].filter((name) => textOf(name) !== "").map((name) => name.slice(0, 60));
  if (names.length > 0)
    check(
      `Not imported: ${names.slice(0, MAX_NAMED).join(", ")}${names.length > MAX_NAMED ? " and more" : ""}.`,
    );
}

/** n8n writes `{"redirect": {"redirect": {}}}` for an option that is left as it was. */
function isUnset(value: unknown, depth = 0): boolean {
  if (value === undefined || value === null || value === "" || value === false) return true;
  return (
    typeof value === "object" && depth < 3 && Object.values(value).every((inner) => isUnset(inner, depth + 1))
  );
}
