import type { N8nNode, N8nReport } from "../../../contract/n8n-import.ts";
import { isRecord } from "../../../contract/placeholders/json-value.ts";
import { limitedSentences } from "../report/limited-text.ts";

type Metadata = N8nReport["workflow"]["metadata"];

const MAX_TEXT = 2000;

/** The draft with what a person still has to look at, on its steps. */
export function withChecks(
  metadata: Metadata,
  nodes: readonly N8nNode[],
  checked: ReadonlySet<string>,
): Metadata {
  const texts = new Map<string, string[]>();
  for (const node of nodes) {
    const { name, stepId, result } = node;
    if (stepId === undefined || result === "ready" || checked.has(name)) continue;
    const known = texts.get(stepId);
    texts.set(stepId, [...(known ?? []), textOf(node)]);
  }
  return { ...metadata, steps: markSteps(metadata.steps, texts) };
}

function textOf({ becomes, name, note }: N8nNode): string {
  const text = note === "" ? "Check this step." : note;
  return becomes === "part" ? `${name}: ${text}` : text;
}

function markSteps(steps: readonly unknown[], texts: ReadonlyMap<string, readonly string[]>): unknown[] {
  return steps.map((step) => {
    if (!isRecord(step)) return step;
    const toCheck = texts.get(String(step["stepId"]));
    return {
      ...step,
      ...(toCheck !== undefined && { toCheck: limitedSentences(toCheck, MAX_TEXT) }),
      ...(Array.isArray(step["steps"]) && { steps: markSteps(step["steps"], texts) }),
    };
  });
}
