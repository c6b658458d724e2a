import { isRecord } from "../../contract/placeholders/json-value.ts";
import type { ApprovalAnswer, OpenApproval } from "./runs.ts";

const MAX_COMMENT = 10_000;
const MAX_CONTEXT = 4000;

/** The question of an approval as a form that the client shows to its user. */
export function elicitationOf({ message, context }: OpenApproval): { method: string; params: object } {
  const data = context === null ? "" : `\n\n${context.slice(0, MAX_CONTEXT)}`;
  return {
    method: "elicitation/create",
    params: {
      mode: "form",
      message: `${message}${data}`,
      requestedSchema: {
        type: "object",
        properties: {
          decision: {
            type: "string",
            title: "Decision",
            description: "Approve lets the run continue, reject ends it.",
            enum: ["approve", "reject"],
          },
          comment: { type: "string", title: "Comment", description: "Kept with the decision." },
        },
        required: ["decision"],
      },
    },
  };
}

/**
 * What the user's answer decides; undefined when it decides nothing: the form was dismissed, or the answer is not valid.
 * Only an explicit approval approves.
 */
export function answerOf(key: string, response: unknown, decidedBy: string): ApprovalAnswer | undefined {
  if (!isRecord(response)) return undefined;
  if (response["action"] === "decline") return { key, decision: "reject", comment: null, decidedBy };
  if (response["action"] !== "accept" || !isRecord(response["content"])) return undefined;
  const { decision, comment } = response["content"];
  if (decision !== "approve" && decision !== "reject") return undefined;
  const given = typeof comment === "string" && comment !== "" ? comment.slice(0, MAX_COMMENT) : null;
  return { key, decision, comment: given, decidedBy };
}
