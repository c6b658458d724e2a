import type { PartedWork } from "../../lib/in-turns.ts";
import type { SourceLink, SourceNode } from "../source/source.ts";
import { groupBy } from "../../lib/group-by.ts";
import type { NodeFlow } from "./node-flow.ts";
import type { Plan } from "./plan.ts";
import type { Scopes } from "./scopes.ts";

/** Lines that meet in one node; more are not compared. */
const MAX_LINES = 20;
/** Stands for what starts a run: one of its triggers. */
const START = "";

interface Given {
  steps: ReadonlyMap<string, SourceNode>;
  triggers: readonly string[];
  plan: Plan;
  /** The lines of the triggers. */
  starts: readonly SourceLink[];
  scopes: Scopes;
  flowOf: (name: string) => NodeFlow;
}

/**
 * The nodes with several lines of which more than one can bring items in one run: n8n runs them once for each. Lines
 * exclude each other when they come from different triggers, or from different outputs of one condition.
 */
export function* findParallel(given: Given): PartedWork<Set<string>> {
  const { steps, triggers, plan, starts, flowOf } = given;
  const targets = new Set(plan.links.map(({ to }) => to));
  const roots = [...steps.keys()].filter((name) => !targets.has(name));
  const started = new Set(starts.map(({ to }) => to));
  const links = [
    ...triggers.map((name, output) => ({ from: START, output, to: name, input: 0 })),
    ...roots
      .filter((name) => !started.has(name))
      .map((name, at) => ({ from: START, output: triggers.length + at, to: name, input: 0 })),
    ...starts,
    ...plan.links,
  ];
  const pairs = pairsOfLines(given, links);
  yield;
  const branches = [START, ...[...steps.keys()].filter((name) => isBranch(steps.get(name), flowOf(name)))];
  if (pairs.length === 0) return new Set();
  const outgoing = groupBy(
    links,
    ({ from }) => from,
    (link) => link,
  );
  const order = [START, ...triggers, ...plan.order];
  let open = pairs;
  for (const branch of branches) {
    if (open.length === 0) break;
    yield;
    const routesOf = findRoutes(branch, order, outgoing);
    open = open.filter(({ target, lines: [one, other] }) => {
      if (branch !== START && !runsBeside(given, branch, target)) return true;
      const [a, b] = [routesOf(one), routesOf(other)];
      return ((a | b) & AROUND) !== 0n || (a & b) !== 0n;
    });
  }
  return new Set(open.map(({ target }) => target));
}

interface Pair {
  target: string;
  lines: readonly [SourceLink, SourceLink];
}

function pairsOfLines({ steps, plan }: Given, links: readonly SourceLink[]): Pair[] {
  const incoming = groupBy(
    links.filter(({ from, to }) => from !== START && steps.has(to) && !plan.loops.has(to)),
    ({ to, input }) => `${input} ${to}`,
    (link) => link,
  );
  return [...incoming.values()].flatMap((lines) =>
    lines.slice(0, MAX_LINES).flatMap((one, at) =>
      lines
        .slice(at + 1, MAX_LINES)
        .filter(({ from, output }) => from !== one.from || output !== one.output)
        .map((other) => ({ target: one.to, lines: [one, other] as const })),
    ),
  );
}

function isBranch(node: SourceNode | undefined, { passes }: NodeFlow): boolean {
  if (node === undefined || node.disabled) return false;
  return (passes && (node.kind === "if" || node.kind === "switch")) || node.onError === "error_output";
}

/** After a loop over items, a condition has chosen a branch for each item: several of them can have run. */
function runsBeside({ scopes }: Given, branch: string, target: string): boolean {
  return scopes.isInside(target, scopes.scopeOf(branch));
}

const AROUND = 1n;

/**
 * By line, how a run can come to it: bit 0 for a way around the branch, and a bit for each output of the branch. Sets of
 * bits, because a hostile file has hundreds of outputs on hundreds of lines. `order` has a node after those before it.
 */
function findRoutes(
  branch: string,
  order: readonly string[],
  outgoing: ReadonlyMap<string, readonly SourceLink[]>,
): (line: SourceLink) => bigint {
  const bits = new Map<number, bigint>();
  for (const { output } of outgoing.get(branch) ?? [])
    if (!bits.has(output)) bits.set(output, 1n << BigInt(bits.size + 1));
  const routes = new Map<string, bigint>([[START, AROUND]]);
  const routesOf = ({ from, output }: SourceLink): bigint =>
    (from === branch ? bits.get(output) : routes.get(from)) ?? 0n;
  for (const name of order)
    for (const line of outgoing.get(name) ?? [])
      routes.set(line.to, (routes.get(line.to) ?? 0n) | routesOf(line));
  return routesOf;
}
