import type { Step } from "../../../contract/graph.ts";
import { allSteps } from "../../../contract/graph/all-steps.ts";
import { stepTitle } from "../../../contract/graph/step-titles.ts";
import type { N8nNode, N8nTrigger } from "../../../contract/n8n-import.ts";
import { findStepType } from "../../../contract/steps/catalogue.ts";
import type { N8nPreview } from "../../api/n8n-import.ts";
import { describeCron } from "../../flow/describe-cron.ts";
import type { Draft } from "../../flow/draft.ts";
import { nodeIdOf } from "../../flow/scopes.ts";
import { stepSummary } from "../../flow/step-summary.ts";
import { TRIGGER_CHOICES } from "../../flow/trigger-choices.ts";

/** What a node becomes, in words. */
export interface Target {
  title: string;
  detail: string;
  /** Of a step: its icon. */
  step?: Step;
  trigger?: N8nTrigger;
}

export const PLACEHOLDER = "Placeholder";

export type Targets = ReturnType<typeof createTargets>;

export function createTargets({ nodes, triggers, workflow }: N8nPreview) {
  const steps = new Map((allSteps(workflow.metadata) as Step[]).map((step) => [step.stepId, step]));
  const triggerOf = new Map(triggers.map((trigger) => [trigger.node, trigger]));
  return {
    of: (node: N8nNode): Target => targetOf(node, steps.get(node.stepId ?? ""), triggerOf.get(node.name)),
    /** Where the step of a node is on the canvas. */
    placeOf: ({ stepId }: N8nNode): string | undefined =>
      stepId === undefined ? undefined : nodeIdOf(workflow.metadata as Draft, stepId),
    /** The node of a step of the canvas, by the path of the step. */
    nodeAt: (path: string): string | undefined =>
      nodes.find(
        ({ becomes, stepId }) => becomes === "step" && (stepId === path || path.endsWith(`/${stepId}`)),
      )?.name,
  };
}

function targetOf(node: N8nNode, step: Step | undefined, trigger: N8nTrigger | undefined): Target {
  switch (node.becomes) {
    case "trigger":
      return trigger === undefined ? { title: "Trigger", detail: "" } : triggerTarget(trigger);
    case "step":
      if (step === undefined) return { title: "Step", detail: "" };
      return node.result === "unsupported"
        ? { title: PLACEHOLDER, detail: "Disabled until you replace it", step }
        : stepTarget(step);
    case "part":
      return {
        title: "Part of a step",
        detail: step === undefined ? "" : stepTitle(step),
        ...(step !== undefined && { step }),
      };
    case "note":
      return { title: "Note", detail: "" };
    case "nothing":
      return { title: "Nothing", detail: node.result === "ready" ? "Not needed here" : "Not imported" };
  }
}

function stepTarget(step: Step): Target {
  const type = findStepType(step.type);
  if (type === undefined) return { title: step.type, detail: "", step };
  // The first lines of the code are the same in every step.
  if (step.type === "code") return { title: type.title, detail: "JavaScript", step };
  const summary = stepSummary(step);
  const prefix = `${type.shortTitle} · `;
  return {
    title: type.title,
    detail: summary.startsWith(prefix) ? summary.slice(prefix.length) : summary,
    step,
  };
}

const TRIGGER_TITLES: Readonly<Partial<Record<N8nTrigger["kind"], string>>> = {
  run: "Run by hand",
  workflow: "Run by other workflows",
  error: "Error workflow",
};

function triggerTarget(trigger: N8nTrigger): Target {
  const { kind, result, cron, method, path, url, title } = trigger;
  if (result === "unsupported") return { title: "No trigger", detail: "Not created" };
  const details = [
    cron === undefined ? undefined : (describeCron(cron) ?? cron),
    kind === "webhook" ? `${method ?? ""} ${path ?? ""}`.trim() : undefined,
    url,
    title,
  ].filter((text) => text !== undefined && text !== "");
  return {
    title: TRIGGER_TITLES[kind] ?? TRIGGER_CHOICES.find((choice) => choice.kind === kind)?.label ?? kind,
    detail: ["Trigger", ...details].join(" · "),
    trigger,
  };
}
