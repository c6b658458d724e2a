import type { Draft } from "./draft.ts";
import { resolvedValue } from "./resolved-value.ts";
import { locate } from "./scopes.ts";
import { type ScopeData, stepScope } from "./step-scope.ts";

/** The first item of the loop around a step, from the values that its list has before the loop itself has run. */
export function firstItem(draft: Draft, nodeId: string, data: ScopeData): ScopeData["item"] {
  const scope = locate(draft, nodeId)?.scope;
  const loop = scope === undefined ? undefined : locate(draft, scope)?.step;
  if (scope === undefined || loop === undefined) return undefined;
  const around = stepScope(draft, scope, { ...data, item: firstItem(draft, scope, data) });
  const items = resolvedValue(loop["items"], around)?.value ?? loop["items"];
  return Array.isArray(items) && items.length > 0 ? { value: items[0], index: 0 } : undefined;
}
