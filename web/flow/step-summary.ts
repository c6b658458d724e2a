import type { Step } from "../../contract/graph.ts";
import { findStepType } from "../../contract/steps/catalogue.ts";

const MAX_LENGTH = 60;

/** The line below the title of a step: its type and its main setting. */
export function stepSummary(step: Step): string {
  const type = findStepType(step.type);
  if (type === undefined) return step.type;
  const detail = shortenPlaceholders(type.summary(step)).replaceAll(/\s+/g, " ").trim();
  const shown = detail.length > MAX_LENGTH ? `${detail.slice(0, MAX_LENGTH)}…` : detail;
  if (shown === "") return type.shortTitle;
  return type.isSummaryComplete ? shown : `${type.shortTitle} · ${shown}`;
}

/** Shortens placeholders: `{{steps.order.output.total}}` becomes order.total. */
function shortenPlaceholders(text: string): string {
  return text.replaceAll(/\{\{\s*(?:steps\.)?([^{}]*?)\s*\}\}/g, (_whole, path: string) =>
    path.replace(".output", ""),
  );
}
