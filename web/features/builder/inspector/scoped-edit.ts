import type { Draft } from "../../../flow/draft.ts";
import { editScope, graphIn, type Scope } from "../../../flow/scopes.ts";
import type { Edit } from "../use-draft.ts";

/** The graph of a scope and the function that edits it: a form for a step inside a loop is the same as outside. */
export function scopedEdit(
  draft: Draft,
  edit: Edit,
  scope: Scope,
): { scope: Scope; graph: Draft; edit: Edit } {
  if (scope === undefined) return { scope, graph: draft, edit };
  return {
    scope,
    graph: graphIn(draft, scope) ?? draft,
    edit: (change, tag) =>
      edit((now) => editScope(now, scope, change), tag === undefined ? tag : `${scope}/${tag}`),
  };
}
