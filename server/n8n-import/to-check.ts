import type { Note } from "../../contract/graph.ts";
import type { N8nNode, N8nReport, N8nTrigger } from "../../contract/n8n-import.ts";
import { isRecord } from "../../contract/placeholders/json-value.ts";

type Metadata = N8nReport["workflow"]["metadata"];

const MAX_TEXT = 2000;
const MAX_NOTES = 500;
const NOTE_WIDTH = 320;

/** The draft with what a person still has to look at: on its steps, and its triggers in a note. */
export function withChecks(
  metadata: Metadata,
  { nodes, triggers }: Pick<N8nReport, "nodes" | "triggers">,
  checked: ReadonlySet<string>,
): Metadata {
  const texts = new Map<string, string>();
  for (const node of nodes) {
    const { name, stepId, result } = node;
    if (stepId === undefined || result === "ready" || checked.has(name)) continue;
    const known = texts.get(stepId);
    texts.set(stepId, (known === undefined ? textOf(node) : `${known} ${textOf(node)}`).slice(0, MAX_TEXT));
  }
  const steps = markSteps(metadata.steps, texts);
  const { notes = [] } = metadata;
  const note = triggerNote(triggers, [...steps, ...notes]);
  return {
    ...metadata,
    steps,
    ...(note !== undefined && notes.length < MAX_NOTES && { notes: [...notes, note] }),
  };
}

function textOf({ becomes, name, note }: N8nNode): string {
  const text = note === "" ? "Check this step." : note;
  return becomes === "part" ? `${name}: ${text}` : text;
}

function markSteps(steps: readonly unknown[], texts: ReadonlyMap<string, string>): unknown[] {
  return steps.map((step) => {
    if (!isRecord(step)) return step;
    const toCheck = texts.get(String(step["stepId"]));
    return {
      ...step,
      ...(toCheck !== undefined && { toCheck }),
      ...(Array.isArray(step["steps"]) && { steps: markSteps(step["steps"], texts) }),
    };
  });
}

/** Triggers are records of their own: the draft lists what to add. It is left of everything else, so it covers nothing. */
function triggerNote(triggers: readonly N8nTrigger[], placed: readonly unknown[]): Note | undefined {
  const lines = triggers
    .filter(({ kind }) => kind !== "run" && kind !== "workflow")
    .map((trigger) => `• ${describe(trigger)}`);
  if (lines.length === 0) return undefined;
  const positions = placed
    .filter(isRecord)
    .map(({ position }) => position)
    .filter(isRecord);
  const least = (axis: "x" | "y"): number =>
    positions.reduce((min, { [axis]: at }) => Math.min(min, typeof at === "number" ? at : min), Infinity);
  const [x, y] = [least("x"), least("y")];
  return {
    id: "n8n-triggers",
    text: ["Triggers in n8n", "Not created. Add them here, then delete this note.", ...lines]
      .join("\n")
      .slice(0, 10_000),
    position: { x: (Number.isFinite(x) ? x : 0) - NOTE_WIDTH - 60, y: Number.isFinite(y) ? y : 0 },
    width: NOTE_WIDTH,
  };
}

function describe({ node, kind, cron, timezone, method, path, url, app, event, note }: N8nTrigger): string {
  const values = [cron, timezone, method, path, url, app, event].filter((value) => value !== undefined);
  return `${node}: ${[kind, ...values].join(" ")}${note === "" ? "" : `. ${note}`}`;
}
