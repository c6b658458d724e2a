import type { Edge, Step } from "../../contract/graph.ts";
import type { ImportResult, N8nNode, N8nReport, N8nTrigger } from "../../contract/n8n-import.ts";
import { uniqueSlug } from "../workflows/generation/slug.ts";
import type { Scope } from "./accessors.ts";
import { type Data, firstOf, scriptOf } from "./data.ts";
import { kindOf } from "./node-kinds.ts";
import { notesOf } from "./notes.ts";
import { isPartKind } from "./nodes/ai.ts";
import { placeholderStep } from "./placeholder.ts";
import { anchorIn, grouped, isLoopOutput, type NodeFlow, type Plan, planGraph } from "./plan.ts";
import { numberOf, readWorkflow, type SourceLink, type SourceNode, type SourceWorkflow } from "./source.ts";
import { type Converted, createTools, type NodeReport, worse } from "./tools.ts";
import { dataOfTrigger, inputSchemaOf, isTrigger, triggerOf } from "./triggers.ts";
import { repairGraph } from "./verify.ts";

export interface Imported extends Omit<N8nReport, "warnings"> {
  workflow: N8nReport["workflow"];
}

/** Scopes: the workflow itself, or a loop. */
const ROOT = "";
/** Lines that meet in one step; more have no meaning for an expression. */
const MAX_ARRIVING = 20;
const NO_FLOW: NodeFlow = { takes: "item", gives: "one", passes: false, isLoop: false };

/** Converts any JSON that has `nodes`. Reads names and parameters only: nothing is evaluated, fetched or run. */
export function convertWorkflow(
  file: Readonly<Record<string, unknown>>,
  connections: Readonly<Record<string, string>>,
): Imported {
  const source = readWorkflow(file);
  const byName = new Map(source.nodes.map((node) => [node.name, node]));
  const triggers = new Map(
    source.nodes.filter(isTrigger).map((node) => [node.name, triggerOf(node, source)]),
  );
  const roots = new Set(source.links.flatMap(({ from, to }) => [from, to]));
  const partNames = new Set(source.parts.map(({ from }) => from).filter((name) => !triggers.has(name)));
  const isPart = (node: SourceNode): boolean =>
    partNames.has(node.name) || (isPartKind(node) && !roots.has(node.name));
  const stepNodes = new Map([...byName].filter(([name, node]) => !triggers.has(name) && !isPart(node)));

  const isPassing = (node: SourceNode): boolean => node.disabled || kindOf(node)?.flow(node).passes === true;
  const flows = new Map(
    [...stepNodes].map(([name, node]) => {
      const flow = { ...NO_FLOW, ...kindOf(node)?.flow(node), passes: isPassing(node) };
      const isOnce = node.once && flow.takes === "item";
      return [
        name,
        {
          ...flow,
          ...(node.disabled && { takes: "through" as const }),
          ...(isOnce && { takes: "all" as const }),
        },
      ];
    }),
  );
  const flowOf = (name: string): NodeFlow => flows.get(name) ?? NO_FLOW;
  const links = source.links.filter(({ from, to }) => stepNodes.has(from) && stepNodes.has(to));
  const plan = planGraph(stepNodes, links, flowOf);
  return assemble({ source, byName, stepNodes, triggers, connections, plan, flowOf });
}

interface Assembly {
  source: SourceWorkflow;
  byName: ReadonlyMap<string, SourceNode>;
  stepNodes: ReadonlyMap<string, SourceNode>;
  triggers: ReadonlyMap<string, N8nTrigger>;
  connections: Readonly<Record<string, string>>;
  plan: Plan;
  flowOf: (name: string) => NodeFlow;
}

function assemble({ source, byName, stepNodes, triggers, connections, plan, flowOf }: Assembly): Imported {
  const used = new Set<string>(["constructor", "prototype"]);
  const ids = new Map([...plan.order].map((name) => [name, uniqueSlug(name, used)]));
  for (const [loop, { node, over }] of plan.loops)
    if (node === undefined) ids.set(loop, uniqueSlug(`each ${over.replace(/^each:/, "")}`, used));
  const idOf = (name: string): string => ids.get(name) ?? "step";
  const rank = new Map(plan.order.map((name, index) => [name, index]));
  const incoming = grouped(
    plan.links,
    ({ to }) => to,
    (link) => link,
  );
  const fromTriggers = grouped(
    source.links.filter(({ from, to }) => triggers.has(from) && stepNodes.has(to)),
    ({ to }) => to,
    ({ from }) => from,
  );
  const converted = new Map<string, Converted>();
  const loopAt = (name: string): string => plan.loopOf.get(name) ?? ROOT;
  const parentOf = (loop: string): string => plan.loops.get(loop)?.parent ?? ROOT;
  const anchor = (scope: string, name: string): string =>
    anchorIn(scope === ROOT ? undefined : scope, name, plan.loopOf, plan.loops);
  const isInside = (name: string, scope: string): boolean => {
    for (let one = loopAt(name); ; one = parentOf(one)) {
      if (one === scope) return true;
      if (one === ROOT) return false;
    }
  };

  const itemOf = (loop: string): Data => ({
    path: ["item"],
    shape: "one",
    exact: true,
    loop,
    node: plan.loops.get(loop)?.over.replace(/^each:/, ""),
  });
  const triggerData = (names: readonly string[]): Data[] => {
    const started = names.filter((name) => triggers.get(name)?.kind !== "run");
    return unique(
      (started.length > 0 ? started : names).flatMap((name) => {
        const node = byName.get(name);
        const trigger = triggers.get(name);
        return node === undefined || trigger === undefined ? [] : [dataOfTrigger(node, trigger)];
      }),
    );
  };

  const arrived = new Map<string, Data[]>();
  /** The data that arrives at a node, in the order of its inputs. Called when the nodes before it are converted. */
  function arriving(name: string): Data[] {
    const known = arrived.get(name);
    if (known !== undefined) return known;
    const given = (incoming.get(name) ?? [])
      .toSorted((a, b) => a.input - b.input)
      .flatMap(alongLink)
      .slice(0, MAX_ARRIVING);
    const found = unique([...given, ...triggerData(fromTriggers.get(name) ?? [])]);
    arrived.set(name, found);
    return found;
  }

  function alongLink({ from, to, output }: SourceLink): Data[] {
    const scope = loopAt(to);
    const loop = plan.loops.get(scope);
    const node = stepNodes.get(from);
    if (loop?.node === from && node !== undefined && isLoopOutput(node, output)) return [itemOf(scope)];
    const stands = anchor(scope, from);
    const data =
      stands !== from
        ? [collected(stands, from, output)]
        : plan.loops.has(from)
          ? [ofLoop(from)]
          : flowOf(from).passes
            ? arriving(from)
            : [ofStep(from)];
    // Inside of the loop over it, a list is its item.
    const isItem = loop !== undefined && loop.node === undefined && !isInside(from, scope);
    return isItem ? [{ ...itemOf(scope), exact: data.every(({ exact }) => exact) }] : data;
  }

  function ofStep(name: string): Data {
    const { path = [], isExact = true } = converted.get(name)?.output ?? {};
    return {
      path: ["steps", idOf(name), "output", ...path],
      shape: flowOf(name).gives,
      exact: isExact && converted.get(name)?.step !== undefined,
      node: name,
    };
  }

  function ofLoop(loop: string): Data {
    const last = endsOf.get(loop)?.at(-1);
    return last === undefined
      ? { path: ["steps", idOf(loop), "output"], shape: "list", exact: false, node: loop }
      : collected(loop, last);
  }

  const nextInside = new Set(
    plan.links.filter(({ from, to }) => isInside(to, loopAt(from))).map(({ from }) => from),
  );
  const membersOf = grouped(plan.order, loopAt, (name) => name);
  const endsOf = new Map(
    [...membersOf].map(([loop, names]) => [loop, names.filter((name) => !nextInside.has(name))]),
  );
  const branching = new Set<string>();
  const switching = new Set<string>();

  /** What a node inside of a loop gave in all its iterations. */
  function collected(loop: string, name: string, line = 0): Data {
    const output: Data = { path: ["steps", idOf(loop), "output"], shape: "list", exact: true, node: name };
    const inside = anchor(loop, name);
    const ends = endsOf.get(loop)?.length ?? 0;
    const isEnd = !nextInside.has(name);
    const { path = [], isExact = true } = converted.get(name)?.output ?? {};
    const branches = branching.has(loop);
    const over = plan.loops.get(loop);
    const [item] = flowOf(name).passes ? arriving(name) : [];
    // The items for which the condition chose this line.
    if (
      inside === name &&
      isEnd &&
      over?.node === undefined &&
      over !== undefined &&
      item?.loop === loop &&
      converted.get(name)?.step?.type === "condition"
    ) {
      const condition = converted.get(name)?.branches?.(line)?.["condition"] === "false" ? "false" : "true";
      const outcome = `${scriptOf(output)}?.[at]${ends > 1 ? `?.[${JSON.stringify(idOf(name))}]` : ""}`;
      const [list] = listData(over.over);
      if (list !== undefined)
        return {
          path: [],
          script: `${scriptOf(list)}.filter((each, at) => ${outcome} === ${condition})`,
          shape: "list",
          exact: list.exact,
          node: list.node,
        };
    }
    if (inside !== name || !isEnd || flowOf(name).passes) return { ...output, exact: false };
    const keys = [...(ends > 1 ? [idOf(name)] : []), ...path];
    if (keys.length === 0 && !branches && flowOf(name).gives === "one") return { ...output, exact: isExact };
    // An iteration whose condition led nowhere gives the outcome of the condition.
    const each = `each${keys.map((key) => `?.[${JSON.stringify(key)}]`).join("")}`;
    const flat = flowOf(name).gives === "list" ? ".flat()" : "";
    return {
      path: [],
      script: `${scriptOf(output)}.map((each) => ${each})${flat}.filter((each) => each != null && each !== true && each !== false)`,
      shape: "list",
      exact: isExact && !switching.has(loop),
      node: name,
    };
  }

  function scopeOf(name: string): Scope {
    const here = loopAt(name);
    const current = arriving(name);
    return {
      current:
        current.length > 0 || (incoming.get(name) ?? []).length > 0
          ? current
          : [{ path: ["input"], shape: "one", exact: true }],
      isInLoop: here !== ROOT,
      stepId: (other) =>
        stepNodes.has(other) &&
        isInside(name, loopAt(other)) &&
        (rank.get(other) ?? 0) < (rank.get(name) ?? 0)
          ? idOf(other)
          : undefined,
      node(other) {
        const trigger = triggers.get(other);
        const node = byName.get(other);
        if (trigger !== undefined && node !== undefined) return dataOfTrigger(node, trigger);
        if (!stepNodes.has(other)) return `there is no node “${other.slice(0, 60)}”`;
        if (plan.loops.has(other) && isInside(name, other))
          return here === other ? itemOf(other) : "an item of an outer loop cannot be read here";
        const over = plan.loops.get(here);
        if (over !== undefined && over.node === undefined && over.over === other) return itemOf(here);
        const scope = loopAt(other);
        if ((rank.get(anchorName(scope, other)) ?? 0) >= (rank.get(name) ?? 0))
          return `“${other.slice(0, 60)}” does not run before this step`;
        if (!isInside(name, scope)) {
          const outer = sharedScope(name, other);
          return firstOf(collected(anchor(outer, other), other));
        }
        if (plan.loops.has(other)) return ofLoop(other);
        const [data] = flowOf(other).passes ? arriving(other) : [ofStep(other)];
        if (data === undefined) return `“${other.slice(0, 60)}” has no data`;
        return data.loop === undefined || data.loop === here
          ? data
          : "an item of an outer loop cannot be read here";
      },
    };
  }

  const anchorName = (scope: string, name: string): string =>
    loopAt(name) === scope ? name : anchor(scope, name);
  function sharedScope(name: string, other: string): string {
    for (let scope = loopAt(name); ; scope = parentOf(scope))
      if (scope === ROOT || isInside(other, scope)) return scope;
  }

  const reports = new Map<string, NodeReport>();
  const partLinks = grouped(
    source.parts,
    ({ to }) => to,
    (part) => part,
  );
  for (const name of plan.order) {
    const node = stepNodes.get(name);
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
    const chosen = Object.hasOwn(connections, name) ? connections[name] : undefined;
    const partsOf = (kind: string): SourceNode[] =>
      (partLinks.get(name) ?? [])
        .filter((part) => part.kind === kind)
        .flatMap(({ from }) => byName.get(from) ?? []);
    const scope = scopeOf(name);
    const tools = createTools(node, scope, report, { chosen, partsOf });
    const kind = kindOf(node);
    const result = kind?.convert(tools) ?? { step: undefined };
    if (result.step === undefined) {
      report.result = "unsupported";
      report.notes = [
        node.kind === ""
          ? "Community node."
          : kind === undefined
            ? "No counterpart."
            : "No counterpart for this operation.",
        "A disabled placeholder keeps its parameters.",
      ];
    }
    if (flowOf(name).takes === "item" && scope.current.some(({ shape }) => shape === "list"))
      tools.check("Several lines with lists meet here: it runs once, with the first item.");
    const cut = plan.removed.get(name);
    if (cut !== undefined)
      tools.check(
        `A line back to ${cut
          .slice(0, 3)
          .map((one) => `“${one.slice(0, 60)}”`)
          .join(", ")} was removed: use a Repeat while or a For each.`,
      );
    if (node.once) tools.check("n8n ran it for the first item only.");
    if (plan.loops.has(name)) loopReport(node, report, tools.check);
    converted.set(name, result);
    if (result.branches !== undefined) branching.add(loopAt(name));
    if (result.step?.type === "switch") switching.add(loopAt(name));
  }

  function loopReport(node: SourceNode, report: NodeReport, check: (note: string) => void): void {
    const inner = membersOf.get(node.name)?.length ?? 0;
    const size = batchSize(node);
    if (size > 1) check(`Batch size ${size} becomes ${size} at once.`);
    report.notes.push(`${inner} inner ${inner === 1 ? "step" : "steps"}.`);
  }

  function stepOf(name: string): Step {
    const node = stepNodes.get(name);
    if (node === undefined) return placeholderStep(idOf(name), { name, type: "", parameters: {} });
    const fields = converted.get(name)?.step;
    const common = {
      ...(node.retries > 0 && { maxRetries: node.retries }),
      ...(node.onError === "continue" && { onError: "continue" }),
      ...(node.disabled && { disabled: true }),
    };
    if (fields === undefined) return placeholderStep(idOf(name), node);
    return { stepId: idOf(name), name: node.name, ...fields, ...common } as Step;
  }

  /** Steps and edges of a scope; loops contain theirs. */
  function graphOf(scope: string): { steps: Step[]; edges: Edge[] } {
    const members = [
      ...new Set(plan.order.filter((name) => isInside(name, scope)).map((name) => anchor(scope, name))),
    ];
    const steps = members.map((member) => (plan.loops.has(member) ? loopStep(member) : stepOf(member)));
    const edges = new Map<string, Edge>();
    for (const link of plan.links) {
      if (!isInside(link.from, scope) || !isInside(link.to, scope) || link.from === scope) continue;
      const from = anchor(scope, link.from);
      const to = anchor(scope, link.to);
      if (from === to) continue;
      const condition = from === link.from && !plan.loops.has(from) ? conditionOf(link) : {};
      const key = JSON.stringify([from, to, condition]);
      if (!edges.has(key))
        edges.set(key, {
          id: `${idOf(from)}-${idOf(to)}${edges.size + 1}`.slice(0, 190),
          source: idOf(from),
          target: idOf(to),
          ...condition,
        });
    }
    return { steps, edges: [...edges.values()] };
  }

  function conditionOf({ from, output }: SourceLink): Readonly<Record<string, unknown>> {
    const node = stepNodes.get(from);
    const result = converted.get(from);
    if (node === undefined || result?.step === undefined || node.disabled) return {};
    const isError =
      node.onError === "error_output" &&
      (node.kind === "if" ? output === 2 : result.branches === undefined && output === 1);
    return isError ? { condition: "error" } : (result.branches?.(output) ?? {});
  }

  function loopStep(loop: string): Step {
    const { node: nodeName, over = "" } = plan.loops.get(loop) ?? {};
    const node = stepNodes.get(nodeName ?? over);
    const { steps, edges } = graphOf(loop);
    const report = nodeName === undefined ? undefined : reports.get(nodeName);
    const tools = createTools(
      node ?? EMPTY_NODE,
      { ...scopeOf(nodeName ?? over), ...(nodeName === undefined && { current: listData(over) }) },
      report ?? { name: "", type: "", result: "ready", notes: [], expressions: [] },
      { chosen: undefined, partsOf: () => [] },
    );
    const size = node === undefined || nodeName === undefined ? 1 : batchSize(node);
    return {
      stepId: idOf(loop),
      type: "foreach",
      name: nodeName ?? `For each: ${stepNodes.get(over)?.name ?? "item"}`.slice(0, 200),
      items: tools.items(),
      // n8n works through items one after the other.
      concurrency: nodeName === undefined ? 1 : Math.min(Math.max(size, 1), 100),
      steps,
      edges,
    };
  }

  function listData(over: string): Data[] {
    return plan.loops.has(over) ? [ofLoop(over)] : [ofStep(over)];
  }

  const graph = graphOf(ROOT);
  const inputSchema = inputSchemaOf([...triggers.keys()].flatMap((name) => byName.get(name) ?? []));
  const repaired = repairGraph(
    { ...graph, ...(inputSchema !== undefined && { inputSchema }) },
    reports,
    (stepId) => [...ids].find(([, id]) => id === stepId)?.[0],
    (name) => byName.get(name),
  );

  const nodes = source.nodes.map((node): N8nNode => {
    const { name, type } = node;
    const trigger = triggers.get(name);
    if (trigger !== undefined)
      return {
        name,
        type,
        becomes: "trigger",
        result: trigger.result,
        note: trigger.note,
        expressions: [],
        ...(trigger.app !== undefined && { app: trigger.app }),
      };
    const report = reports.get(name);
    if (report === undefined)
      return partReport(node, source, (root) =>
        reports.has(root) ? { id: idOf(root), result: reports.get(root)?.result ?? "ready" } : undefined,
      );
    const { notes: own, ...rest } = report;
    const loop = plan.loopOf.get(name);
    return {
      ...rest,
      becomes: "step",
      note: own.join(" ").slice(0, 2000),
      stepType: plan.loops.has(name) ? "foreach" : (converted.get(name)?.step?.type ?? "code"),
      ...(loop !== undefined && { inside: idOf(loop) }),
    };
  });
  const notes = notesOf(source, [...triggers.values()]);
  const metadata = { ...repaired, ...(notes.length > 0 && { notes }) };
  const counts = { ready: 0, check: 0, unsupported: 0 };
  for (const { result } of nodes) counts[result] += 1;
  return {
    workflow: { name: source.name, description: `Imported from n8n.`, metadata },
    source: {
      name: source.name,
      ...(source.n8nVersion !== undefined && { n8nVersion: source.n8nVersion }),
      nodes: source.nodes.length,
      lines: source.links.length + source.parts.length,
      notes: source.stickyNotes.length,
    },
    counts,
    nodes,
    triggers: [...triggers.values()],
  };
}

const EMPTY_NODE: SourceNode = {
  name: "",
  type: "",
  kind: "",
  version: 1,
  parameters: {},
  position: { x: 0, y: 0 },
  disabled: false,
  notes: "",
  retries: 0,
  onError: "stop",
  once: false,
  credential: undefined,
};

function batchSize({ parameters, version }: SourceNode): number {
  return Math.max(1, Math.trunc(numberOf(parameters["batchSize"]) ?? (version >= 3 ? 1 : 10)));
}

function unique(list: readonly Data[]): Data[] {
  const seen = new Map(
    list.map((data) => [
      JSON.stringify([data.script ?? data.path, data.shape, data.places?.length ?? 0]),
      data,
    ]),
  );
  return [...seen.values()];
}

const PARTS_READY = /^(?:lm[A-Z]|outputParser|memoryBufferWindow)/;

/** A model or a parser is a setting of its step; a tool of an agent has to be added to the agent. */
function partReport(
  node: SourceNode,
  { parts }: SourceWorkflow,
  stepOfRoot: (name: string) => { id: string; result: ImportResult } | undefined,
): N8nNode {
  const next = new Map(parts.map(({ from, to }) => [from, to]));
  let root = next.get(node.name);
  for (let depth = 0; root !== undefined && stepOfRoot(root) === undefined && depth < 20; depth++)
    root = next.get(root);
  const found = root === undefined ? undefined : stepOfRoot(root);
  const base = { name: node.name, type: node.type, expressions: [] };
  if (found === undefined)
    return { ...base, becomes: "nothing", result: "unsupported", note: "It is joined to no step." };
  const isKnown = PARTS_READY.test(node.kind) && found.result !== "unsupported";
  return {
    ...base,
    becomes: "part",
    stepId: found.id,
    result: isKnown
      ? "ready"
      : worse(
          "check",
          found.result === "unsupported" ||
            node.kind === "" ||
            /^vectorStore|^retriever|^reranker/.test(node.kind)
            ? "unsupported"
            : "check",
        ),
    note: isKnown
      ? "A setting of the step."
      : "Add it to the agent: a workflow, an app action, an MCP server or documents.",
  };
}
