import type { PartedWork } from "../lib/in-turns.ts";
import type { Conversion } from "./conversion.ts";
import type { Scope } from "./expressions/accessors.ts";
import { kindOf } from "./nodes/node-kinds.ts";
import type { NodeReport } from "./nodes/reporter.ts";
import { createTools, type Tools } from "./nodes/tools.ts";
import { groupBy } from "../lib/group-by.ts";
import { lookUp, numberOf } from "./source/parameters.ts";
import type { SourceNode } from "./source/source.ts";

/** Converts the nodes one after the other, in the order in which they can run. */
export function* convertNodes(conversion: Conversion, scopeOf: (name: string) => Scope): PartedWork<void> {
  const { source, nodes, steps, plan, reports, converted, idOf } = conversion;
  const partLinks = groupBy(
    source.parts,
    ({ to }) => to,
    (part) => part,
  );
  const followers = groupBy(
    plan.links,
    ({ from }) => from,
    ({ to }) => to,
  );
  for (const name of plan.order) {
    const node = steps.get(name);
    if (node === undefined) continue;
    const report: NodeReport = {
      name,
      type: node.type,
      result: "ready",
      notes: [],
      expressions: [],
      stepId: idOf(name),
    };
    reports.set(name, report);
    const tools = createTools(node, scopeOf(name), report, {
      chosen: chosenConnection(conversion, name),
      partsOf: (kind) =>
        (partLinks.get(name) ?? [])
          .filter((part) => part.kind === kind)
          .flatMap(({ from }) => nodes.get(from) ?? []),
    });
    const result = kindOf(node)?.convert(tools) ?? { step: undefined };
    if (result.step === undefined) reportPlaceholder(node, report);
    reportFlow(conversion, tools);
    const isReadByItem = (followers.get(name) ?? []).some((next) => conversion.flowOf(next).takes === "item");
    if (result.mayBeList === true && isReadByItem)
      tools.check(
        "If the response is a list, n8n runs the next nodes once for each entry. Here it is one value.",
      );
    converted.set(name, result);
    yield;
  }
}

function chosenConnection({ connections }: Conversion, name: string): string | undefined {
  return lookUp(connections, name);
}

function reportPlaceholder(node: SourceNode, report: NodeReport): void {
  report.result = "unsupported";
  report.notes = [
    node.kind === ""
      ? "Community node."
      : kindOf(node) === undefined
        ? "No counterpart."
        : "No counterpart for this operation.",
    "A disabled placeholder keeps its parameters.",
  ];
}

/** What is different in the order of steps and in the number of times that they run. */
function reportFlow({ plan, scopes, flowOf }: Conversion, { node, scope, check, note }: Tools): void {
  const { name } = node;
  if (flowOf(name).takes === "item" && scope.current.some(({ shape }) => shape === "list"))
    check("Several lines with lists meet here: it runs once, with the first item.");
  const cut = (plan.removed.get(name) ?? []).slice(0, 3).map((one) => `“${one.slice(0, 60)}”`);
  if (cut.length > 0)
    check(`A line back to ${cut.join(", ")} was removed: use a Repeat while or a For each.`);
  if (node.once) check("n8n ran it for the first item only.");
  if (!plan.loops.has(name)) return;
  const size = batchSize(node);
  if (size > 1) check(`Batch size ${size} becomes ${size} at once.`);
  const inner = scopes.membersOf(name).length;
  note(`${inner} inner ${inner === 1 ? "step" : "steps"}.`);
}

export function batchSize({ parameters, version }: SourceNode): number {
  return Math.max(1, Math.trunc(numberOf(parameters["batchSize"]) ?? (version >= 3 ? 1 : 10)));
}
