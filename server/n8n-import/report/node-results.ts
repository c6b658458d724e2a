import type { ImportResult, N8nNode } from "../../../contract/n8n-import.ts";
import type { Conversion } from "../conversion.ts";
import { worse } from "../nodes/reporter.ts";
import { limitedSentences } from "./limited-text.ts";
import type { SourceNode } from "../source/source.ts";

const MAX_NOTE = 2000;

/** The result of every node, in the order of the file. */
export function nodeResults(conversion: Conversion): N8nNode[] {
  const { source, triggers, reports } = conversion;
  const rootOf = new Map(source.parts.map(({ from, to }) => [from, to]));
  return source.nodes.map((node) => {
    const { name, type } = node;
    const trigger = triggers.get(name);
    if (trigger !== undefined) {
      const { result, note, app } = trigger;
      return {
        name,
        type,
        becomes: "trigger",
        result,
        note,
        expressions: [],
        ...(app !== undefined && { app }),
      };
    }
    return reports.has(name) ? stepResult(conversion, name) : partResult(conversion, node, rootOf);
  });
}

function stepResult({ reports, plan, converted, idOf }: Conversion, name: string): N8nNode {
  const {
    notes = [],
    hiddenExpressions: _hidden,
    ...report
  } = reports.get(name) ?? { name, type: "", result: "ready", expressions: [], hiddenExpressions: 0 };
  const loop = plan.loopOf.get(name);
  return {
    ...report,
    becomes: "step",
    note: limitedSentences(notes, MAX_NOTE),
    stepType: plan.loops.has(name) ? "foreach" : (converted.get(name)?.step?.type ?? "code"),
    ...(loop !== undefined && { inside: idOf(loop) }),
  };
}

const READY_PARTS = /^(?:lm[A-Z]|outputParser|memoryBufferWindow)/;
const UNSUPPORTED_PARTS = /^(?:$|vectorStore|retriever|reranker)/;
const MAX_PARTS = 20;

/** A model or a parser is a setting of its step; a tool of an agent has to be added to the agent. */
function partResult(
  { reports, idOf }: Conversion,
  { name, type, kind }: SourceNode,
  rootOf: ReadonlyMap<string, string>,
): N8nNode {
  let root = rootOf.get(name);
  for (let depth = 0; root !== undefined && !reports.has(root) && depth < MAX_PARTS; depth++)
    root = rootOf.get(root);
  const ofRoot = root === undefined ? undefined : reports.get(root)?.result;
  const base = { name, type, expressions: [] };
  if (root === undefined || ofRoot === undefined)
    return { ...base, becomes: "nothing", result: "unsupported", note: "It is joined to no step." };
  const isReady = READY_PARTS.test(kind) && ofRoot !== "unsupported";
  const ofKind: ImportResult = UNSUPPORTED_PARTS.test(kind) ? "unsupported" : "check";
  return {
    ...base,
    becomes: "part",
    stepId: idOf(root),
    result: isReady ? "ready" : worse(ofKind, ofRoot),
    note: isReady
      ? "A setting of the step."
      : "Add it to the agent: a workflow, an app action, an MCP server or documents.",
  };
}
