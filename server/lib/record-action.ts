/** An action that a handler records itself: one besides its route, or one whose workspace the path does not say. */
export interface HandledAction {
  /** The `operationId` of the route, or a name such as `oidc.createAccount`. */
  action: string;
  /** The path of the record among the kinds of records, with `params`. */
  url: string;
  params?: Record<string, string>;
  /** Null for the log of the instance. */
  workspaceId: string | null;
  /** The account that the action is about; for records of accounts. */
  userId?: string;
  actor: { kind: "approval_link" | "provider"; id: string | null; name: string | null };
}

/** Records the attempt, does the work and records its result. */
export type RecordAction = <T>(action: HandledAction, work: () => Promise<T>) => Promise<T>;
