import type { Loop, Plan } from "./plan.ts";

/** The scope of the steps that are in no loop. */
export const WORKFLOW = "";

export type Scopes = ReturnType<typeof createScopes>;

/** Which step is in which scope: the workflow itself, or a loop. */
export function createScopes({ order, links, loopOf, loops }: Plan) {
  const scopeOf = (name: string): string => loopOf.get(name) ?? WORKFLOW;
  const parentOf = (loop: string): string => loops.get(loop)?.parent ?? WORKFLOW;

  function isInside(name: string, scope: string): boolean {
    for (let one = scopeOf(name); ; one = parentOf(one)) {
      if (one === scope) return true;
      if (one === WORKFLOW) return false;
    }
  }

  const representative = (scope: string, name: string): string =>
    representativeIn(scope === WORKFLOW ? undefined : scope, name, loopOf, loops);
  const leadingOn = new Set(
    links.filter(({ from, to }) => isInside(to, scopeOf(from))).map(({ from }) => from),
  );
  const members = new Map<string, string[]>();
  for (const name of order) {
    const scope = scopeOf(name);
    const inScope = members.get(scope);
    if (inScope === undefined) members.set(scope, [name]);
    else inScope.push(name);
  }

  return {
    scopeOf,
    isInside,
    representative,
    /** The scopes that a node is in, from the innermost to the workflow, with what represents it there. */
    around(name: string): { scope: string; step: string }[] {
      const found = [{ scope: scopeOf(name), step: name }];
      for (let scope = scopeOf(name); scope !== WORKFLOW; scope = parentOf(scope))
        found.push({ scope: parentOf(scope), step: scope });
      return found;
    },
    /** The innermost scope that contains both. */
    shared(name: string, other: string): string {
      for (let scope = scopeOf(name); ; scope = parentOf(scope))
        if (scope === WORKFLOW || isInside(other, scope)) return scope;
    },
    /** True when no line leads from the node to another one in its scope. */
    isEnd: (name: string): boolean => !leadingOn.has(name),
    membersOf: (scope: string): readonly string[] => members.get(scope) ?? [],
    endsOf: (scope: string): readonly string[] =>
      (members.get(scope) ?? []).filter((name) => !leadingOn.has(name)),
  };
}

/** The step of a scope that contains a node: the node itself, or the loop that it is in. */
export function representativeIn(
  scope: string | undefined,
  name: string,
  loopOf: ReadonlyMap<string, string>,
  loops: ReadonlyMap<string, Loop>,
): string {
  let found = name;
  for (let loop = loopOf.get(name); loop !== undefined && loop !== scope; loop = loops.get(loop)?.parent)
    found = loop;
  return found;
}
