/** Headers that change what a request does, as parameters of the document. */
export const requestHeaders = {
  IdempotencyKey: {
    name: "Idempotency-Key",
    in: "header",
    description:
      "Calls with the same key and body within 24 hours start one task and return its response. The same key with another body is a 409 `idempotency_conflict`.",
    schema: { type: "string", minLength: 1, maxLength: 255 },
    example: "order-1042",
  },
  LastEventId: {
    name: "Last-Event-ID",
    in: "header",
    description: "The `id` of the last event received. The stream continues after it.",
    schema: { type: "string" },
    example: "17",
  },
  Workspace: {
    name: "X-Workspace",
    in: "header",
    description:
      "The id of the workspace that the request is about. Default: your personal workspace. A workspace that you are not a member of is a 403 `forbidden`.",
    schema: { type: "string" },
    example: "ws_01jc8v3k4m0007x2n5r9t1w6y8zab",
  },
} as const;

export type RequestHeader = keyof typeof requestHeaders;
