import type { App } from "../../apps/define-app.ts";

export interface DocumentChanges {
  added: string[];
  removed: string[];
  changed: string[];
}

/** Ids of the actions that differ between two versions of a document. */
export function changesBetween(before: Pick<App, "actions">, after: Pick<App, "actions">): DocumentChanges {
  const [old, current] = [before.actions, after.actions];
  const ids = Object.keys(current);
  return {
    added: ids.filter((id) => !Object.hasOwn(old, id)),
    removed: Object.keys(old).filter((id) => !Object.hasOwn(current, id)),
    changed: ids.filter((id) => Object.hasOwn(old, id) && !isSame(old[id], current[id])),
  };
}

/** Texts do not count: a reworded description changes nothing in a workflow. */
function isSame(one: App["actions"][string] | undefined, other: App["actions"][string] | undefined): boolean {
  return (
    JSON.stringify([one?.request, shapeOf(one?.input)]) ===
    JSON.stringify([other?.request, shapeOf(other?.input)])
  );
}

function shapeOf(input: App["actions"][string]["input"] = {}): unknown {
  return JSON.parse(
    JSON.stringify(input, (key, value: unknown) =>
      /^(title|description)$/.test(key) && typeof value === "string" ? undefined : value,
    ),
  );
}
