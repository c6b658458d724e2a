import type { PartedWork } from "../lib/in-turns.ts";
import type { Conversion } from "./conversion.ts";
import { runsWithoutItems } from "./draft/gates.ts";
import type { Scope } from "./expressions/accessors.ts";
import { kindOf } from "./nodes/node-kinds.ts";
import type { NodeReport } from "./nodes/reporter.ts";
import { secretFields } from "./nodes/secrets.ts";
import { createNodeContext, type NodeContext } from "./nodes/node-context.ts";
import { groupBy } from "../lib/group-by.ts";
import { WORKFLOW } from "./plan/scopes.ts";
import { at, lookUp } from "./source/parameters.ts";
import { batchSizeOf, MAX_LINKS, type SourceNode } from "./source/source.ts";

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
    (link) => link,
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
      hiddenExpressions: 0,
      stepId: idOf(name),
    };
    reports.set(name, report);
    const context = createNodeContext(node, scopeOf(name), report, {
      chosen: chosenConnection(conversion, name),
      isConnected: (output) => (followers.get(name) ?? []).some((link) => link.output === output),
      partsOf: (kind) =>
        (partLinks.get(name) ?? [])
          .filter((part) => part.kind === kind)
          .flatMap(({ from }) => nodes.get(from) ?? []),
    });
    const result = kindOf(node)?.convert(context) ?? { step: undefined };
    if (report.hiddenExpressions > 0)
      context.note(`${report.hiddenExpressions} more expressions are in the step.`);
    if (result.step === undefined) reportPlaceholder(node, report);
    reportSecrets(context);
    reportFlow(conversion, context);
    if (result.step !== undefined) reportEmptyList(conversion, context);
    const isReadByItem = (followers.get(name) ?? []).some(({ to }) => conversion.flowOf(to).takes === "item");
    if (result.mayBeList === true && isReadByItem)
      context.check(
        "If the response is a list, n8n runs the next nodes once for each entry. Here it is one value: put the next steps into a For each over it.",
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

const REQUESTS = new Set(["httpRequest", "graphql", "webhook", "toolHttpRequest"]);

function reportSecrets({ node, check }: NodeContext): void {
  const names = secretFields(node.parameters, REQUESTS.has(node.kind));
  if (names.length > 0)
    check(`A secret is written in ${names.join(", ")}: move it to a connection or to a secret.`);
}

function reportEmptyList(conversion: Conversion, { node: { name }, scope, check, note }: NodeContext): void {
  if (!runsWithoutItems(conversion, name, scope.current)) return;
  if (conversion.scopes.scopeOf(name) === WORKFLOW) note("A condition skips it when no items arrive.");
  else check("It runs also when no items arrive. n8n skips it then.");
}

/** What is different in the order of steps and in the number of times that they run. */
function reportFlow(
  { source, plan, scopes, parallel, flowOf }: Conversion,
  { node, scope, check, note }: NodeContext,
): void {
  const { name } = node;
  if (flowOf(name).takes === "item" && scope.current.some(({ shape }) => shape === "list"))
    check("Several lines with lists meet here: it runs once, with the first item.");
  const leftOut = source.linesLeftOut.get(name) ?? 0;
  if (leftOut > 0)
    check(
      `${leftOut} ${leftOut === 1 ? "line" : "lines"} that begin here were not imported: ${MAX_LINKS.toLocaleString("en")} are read of a file.`,
    );
  const cut = (plan.removed.get(name) ?? []).slice(0, 3).map((one) => `“${one.slice(0, 60)}”`);
  if (cut.length > 0)
    check(`A line back to ${cut.join(", ")} was removed: use a Repeat while or a For each.`);
  const isOneObject = scope.current.every(({ shape, mayBeList }) => shape === "one" && mayBeList !== true);
  if (node.once && (!isOneObject || flowOf(name).takes === "through"))
    check("n8n ran it for the first item only.");
  if (parallel.has(name)) check("n8n runs it once for each line that leads here. Here it runs once.");
  if (node.alwaysGives && (flowOf(name).gives === "list" || flowOf(name).passes))
    check("n8n goes on with an empty item when it gives nothing. Here the next steps are skipped.");
  if (node.kind === "splitInBatches" && at(node.parameters, "options", "reset") === true)
    check("n8n starts the loop again with what comes back to it.");
  if (!plan.loops.has(name)) return;
  if (node.version < 2)
    check("After its loop, n8n goes on with the last batch. Here the results of all go on.");
  if (/\{\{/.test(String(node.parameters["batchSize"]))) check("An expression sets the size of its batches.");
  const size = batchSizeOf(node);
  if (size > 1) check(`Batch size ${size} becomes ${size} at once.`);
  const inner = scopes.membersOf(name).length;
  note(`${inner} inner ${inner === 1 ? "step" : "steps"}.`);
}
