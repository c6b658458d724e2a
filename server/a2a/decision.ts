import type { Part } from "@a2a-js/sdk";
import type { JsonValue } from "../../contract/placeholders/json-value.ts";
import { textOfParts } from "./message-text.ts";

export interface CallerDecision {
  decision: "approve" | "reject";
  comment: string | null;
  data: JsonValue;
}

export interface CallerAnswer {
  decision: CallerDecision;
  /** The id of the question, if the answer names one. */
  question: string | undefined;
}

// A word alone or before punctuation: "no problem" decides nothing.
const YES = /^(?:approved?|accept(?:ed)?|confirm(?:ed)?|yes|ok)(?:\s*$|\s*[:,.!;]\s*(?<comment>.*)$)/is;
const NO = /^(?:reject(?:ed)?|den(?:y|ied)|declined?|no)(?:\s*$|\s*[:,.!;]\s*(?<comment>.*)$)/is;

/** What a reply to an approval decides: `{"decision": "approve"}` as data, or a word as text. Undefined if neither. */
export function toAnswer(parts: readonly Part[]): CallerAnswer | undefined {
  for (const { content } of parts) {
    if (content?.$case !== "data" || typeof content.value !== "object" || content.value === null) continue;
    const { decision, comment, data, question } = content.value as Record<string, unknown>;
    if (decision === "approve" || decision === "reject")
      return {
        decision: {
          decision,
          comment: typeof comment === "string" ? comment : null,
          data: (data ?? null) as JsonValue,
        },
        question: typeof question === "string" ? question : undefined,
      };
  }
  const text = textOfParts(parts.filter(({ content }) => content?.$case === "text")).trim();
  const [yes, no] = [YES.exec(text), NO.exec(text)];
  const match = yes ?? no;
  if (match === null) return undefined;
  const comment = match.groups?.["comment"]?.trim() ?? "";
  return {
    decision: {
      decision: yes === null ? "reject" : "approve",
      comment: comment === "" ? null : comment,
      data: null,
    },
    question: undefined,
  };
}
