import { isRecord } from "../../contract/placeholders/json-value.ts";
import type { Caller } from "./call.ts";
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
          comment: {
            type: "string",
            title: "Comment",
            description: "Kept with your decision: accept approves, decline rejects.",
          },
        },
      },
    },
  };
}

/** What the user's answer decides; undefined when it decides nothing, as when the form was dismissed. */
export function answerOf(
  key: string,
  response: unknown,
  { callerName, userId }: Pick<Caller, "callerName" | "userId">,
): ApprovalAnswer | undefined {
  const by = { decidedBy: `mcp: ${callerName}`, userId };
  if (!isRecord(response)) return undefined;
  const { action, content } = response;
  if (action === "decline") return { key, decision: "reject", comment: null, ...by };
  if (action !== "accept") return undefined;
  const comment = isRecord(content) ? content["comment"] : undefined;
  const given = typeof comment === "string" && comment !== "" ? comment.slice(0, MAX_COMMENT) : null;
  return { key, decision: "approve", comment: given, ...by };
}
