import type { ListTasksRequest, Message, SendMessageRequest } from "@a2a-js/sdk";
import type { TaskPosition } from "./a2a-task.sql.ts";
import type { TaskQuery } from "./agent-tasks.ts";
import type { Sdk } from "./sdk.ts";

/** Text of every kind, and JSON. */
export const OUTPUT_MODES = ["text/plain", "application/json"];
const MAX_ID_CHARACTERS = 500;
const DEFAULT_PAGE = 50;
const MAX_PAGE = 100;

/** The rules of the specification that the SDK's decoder does not check. */
export function createRequestChecks({ errors, types: { Role, TaskState } }: Sdk) {
  const malformed = (text: string): Error => new errors.RequestMalformedError(text);

  function checkHistoryLength(value: number | undefined): void {
    if (value !== undefined && !(Number.isInteger(value) && value >= 0))
      throw malformed("historyLength must be an integer of at least 0");
  }

  return {
    checkHistoryLength,

    /** The message of a request. */
    checkMessage({ message, configuration }: SendMessageRequest): Message {
      if (message === undefined) throw malformed("message is required");
      const { messageId, contextId, taskId, role, parts } = message;
      if (messageId === "") throw malformed("message.messageId is required");
      if (role !== Role.ROLE_USER && role !== Role.ROLE_AGENT)
        throw malformed("message.role must be ROLE_USER or ROLE_AGENT");
      for (const [name, id] of Object.entries({ messageId, contextId, taskId }))
        if (id.length > MAX_ID_CHARACTERS || id.includes("\0"))
          throw malformed(`message.${name} is not a valid id`);
      if (parts.length === 0) throw malformed("message.parts must contain at least one part");
      if (parts.some(({ content }) => content === undefined))
        throw malformed("message.parts: each part needs text, data, url or raw");
      if (JSON.stringify(parts).includes("\\u0000"))
        throw malformed("message.parts must not contain a NUL character");
      checkHistoryLength(configuration?.historyLength);
      const accepted = configuration?.acceptedOutputModes ?? [];
      if (accepted.length > 0 && !accepted.some(isOffered))
        throw new errors.ContentTypeNotSupportedError(
          `Incompatible content types: this agent answers with ${OUTPUT_MODES.join(" or ")}.`,
        );
      return message;
    },

    toQuery({
      contextId,
      status,
      pageSize,
      pageToken,
      historyLength,
      statusTimestampAfter,
    }: ListTasksRequest): TaskQuery {
      checkHistoryLength(historyLength);
      const limit = pageSize ?? DEFAULT_PAGE;
      if (!(Number.isInteger(limit) && limit >= 1 && limit <= MAX_PAGE))
        throw malformed(`pageSize must be an integer from 1 to ${MAX_PAGE}`);
      if (status === TaskState.UNRECOGNIZED) throw malformed("status is not a task state");
      const statusAfter = statusTimestampAfter === undefined ? undefined : Date.parse(statusTimestampAfter);
      if (statusAfter !== undefined && (Number.isNaN(statusAfter) || !/^\d{4}-/.test(statusTimestampAfter!)))
        throw malformed("statusTimestampAfter must be an ISO 8601 time");
      return {
        contextId: contextId === "" ? undefined : contextId,
        state: status === TaskState.TASK_STATE_UNSPECIFIED ? undefined : status,
        statusAfter,
        before: pageToken === "" ? undefined : fromPageToken(pageToken),
        limit,
      };
    },
  };

  function fromPageToken(token: string): TaskPosition {
    const [, at, id] = /^(\d{1,16}):([\w.]+)$/.exec(Buffer.from(token, "base64url").toString()) ?? [];
    if (at === undefined || id === undefined)
      throw malformed("pageToken is not one that this agent has returned");
    return { at: Number(at), id };
  }
}

export function toPageToken({ at, id }: TaskPosition): string {
  return Buffer.from(`${at}:${id}`).toString("base64url");
}

function isOffered(mode: string): boolean {
  const wanted = mode.split(";", 1)[0]!.trim().toLowerCase();
  return OUTPUT_MODES.some(
    (offered) =>
      wanted === "*/*" || wanted === "text" || wanted === offered || wanted === offered.replace(/\/.*/, "/*"),
  );
}
