import type { Edge, Step } from "../../../contract/graph.ts";
import { allSteps } from "../../../contract/graph/all-steps.ts";
import { uniqueSlug } from "../../workflows/generation/slug.ts";
import type { Conversion } from "../conversion.ts";
import { type Data, fieldOf, firstOf } from "../data/data.ts";
import type { DataFlow } from "../data/data-flow.ts";
import { createArrivingValues } from "../nodes/arriving-values.ts";
import { keysOf } from "../nodes/list-code.ts";
import { headerValue } from "../nodes/flow/respond-node.ts";
import { worse } from "../nodes/reporter.ts";
import { WORKFLOW } from "../plan/scopes.ts";
import { at, entriesAt, numberOf, textOf } from "../source/parameters.ts";
import type { SourceNode } from "../source/source.ts";
import { isAllowedHeader } from "../../endpoints/custom-response.ts";
import { responseModeOf } from "../triggers/webhooks.ts";

interface Graph {
  steps: Step[];
  edges: Edge[];
}

/** The graph, and the step whose output is the response to the call of a webhook. */
interface Responding {
  graph: Graph;
  responseStepId?: string;
}

/** In n8n the response is that of a Respond to Webhook node, or is made of the data of the last node. */
export function withResponse(graph: Graph, conversion: Conversion, flow: DataFlow): Responding {
  const { nodes, triggers, steps, converted, idOf } = conversion;
  const webhooks = [...triggers.keys()].flatMap((name) => nodes.get(name) ?? []);
  const responding = [...steps.values()].filter(
    ({ kind, name, disabled }) =>
      kind === "respondToWebhook" && !disabled && converted.get(name)?.step !== undefined,
  );
  for (const node of responding)
    checkResponse(conversion, node, {
      isOneOfMany: responding.length > 1,
      isListRead: flow.arriving(node.name).some(({ shape }) => shape === "list"),
    });
  if (responding.length > 0) {
    const [only, other] = responding.filter(({ name }) => conversion.scopes.scopeOf(name) === WORKFLOW);
    return { graph, ...(only !== undefined && other === undefined && { responseStepId: idOf(only.name) }) };
  }
  const waiting = webhooks.find((node) => responseModeOf(node) === "lastNode");
  return waiting === undefined ? { graph } : withLastData(graph, conversion, flow, waiting);
}

function checkResponse(
  { reports, scopes, plan, nodes, triggers }: Conversion,
  { name }: SourceNode,
  { isOneOfMany, isListRead }: { isOneOfMany: boolean; isListRead: boolean },
): void {
  const report = reports.get(name);
  if (report === undefined) return;
  const check = (sentence: string): void => {
    report.result = worse(report.result, "check");
    report.notes.push(sentence);
  };
  const isWebhook = [...triggers.keys()].some(
    (trigger) => responseModeOf(nodes.get(trigger)) === "responseNode",
  );
  if (!isWebhook)
    return check("Nothing waits for this response: its trigger is no webhook that waits for it.");
  if (scopes.scopeOf(name) !== WORKFLOW)
    check("Move it out of its loop: a step in a loop makes no response.");
  if (isListRead) check("When no items arrive, the response is empty in n8n.");
  if (isOneOfMany)
    check(
      "Several steps respond: the response is that of the one that ran, if no other step is the last one of a run.",
    );
  if (plan.links.some(({ from }) => from === name))
    check("The response is sent when the run ends. n8n sends it at this step.");
}

/** Adds a final step that makes the response of what the last steps gave. */
function withLastData(graph: Graph, conversion: Conversion, flow: DataFlow, webhook: SourceNode): Responding {
  const { plan, scopes, idOf } = conversion;
  const inWorkflow = (name: string): string => scopes.representative(WORKFLOW, name);
  const leading = new Set(
    plan.links
      .filter(({ from, to }) => inWorkflow(from) !== inWorkflow(to))
      .map(({ from }) => inWorkflow(from)),
  );
  const ends = [...new Set(plan.order.map(inWorkflow))].filter((name) => !leading.has(name));
  if (ends.length === 0) return { graph };
  const data = ends.flatMap((name) => (plan.loops.has(name) ? [flow.listOf(name)] : flow.ofNode(name)));
  const used = new Set(allSteps(graph).map(({ stepId }) => String(stepId)));
  const stepId = uniqueSlug("response", used);
  const step = { stepId, type: "transform", name: "Response", template: responseOf(webhook, data) } as Step;
  const edges = ends.map((name, index) => ({
    id: `${idOf(name)}-${stepId}${index + 1}`.slice(0, 190),
    source: idOf(name),
    target: stepId,
  }));
  return {
    graph: { steps: [...graph.steps, step], edges: [...graph.edges, ...edges] },
    responseStepId: stepId,
  };
}

function responseOf({ parameters }: SourceNode, data: readonly Data[]): Record<string, unknown> {
  const values = at(parameters, "options", "responseCode", "values");
  const status =
    numberOf(parameters["responseCode"]) ??
    (numberOf(at(values, "customCode")) || numberOf(at(values, "responseCode")));
  const kind = textOf(parameters["responseData"]) || "firstEntryJson";
  const isEmpty = kind === "noData" || at(parameters, "options", "noResponseBody") === true;
  const field = keysOf(textOf(at(parameters, "options", "responsePropertyName")));
  const arriving = createArrivingValues(
    kind === "allEntries" ? data : data.map((each) => fieldOf(firstOf(each), field)),
    () => undefined,
  );
  const headers = Object.fromEntries(
    [
      ...entriesAt(parameters, "options", "responseHeaders", "entries").map(({ name, value }) => [
        name,
        value,
      ]),
      ["content-type", at(parameters, "options", "responseContentType")],
    ]
      .map(([name, value]) => [textOf(name).toLowerCase(), textOf(value)] as const)
      .filter(([name, value]) => isAllowedHeader(name) && value !== "" && !value.startsWith("="))
      .map(([name, value]) => [name, headerValue(name, value)]),
  );
  return {
    ...(status !== undefined && { statusCode: status }),
    ...(Object.keys(headers).length > 0 && { headers }),
    ...(!isEmpty && { body: kind === "allEntries" ? arriving.items() : arriving.current() }),
  };
}
