import type { Params, RequestId, Result } from "./protocol.ts";

/** The caller: the owner of the API key or of the OAuth grant. */
export interface Caller {
  ownerId: string;
  /** The id of the key or the grant. */
  callerId: string;
  callerName: string;
  /** The person who connected the app. */
  userId?: string | undefined;
  /** The account behind the key or the grant. */
  accountId?: string | undefined;
}

/** What the client has said about itself, with this request or at `initialize`. */
export interface Client {
  isModern: boolean;
  /** It can show a form to its user. */
  elicits: boolean;
  /** It can receive a task instead of a result. Only newer clients declare it; older ones ask per call. */
  hasTasks: boolean;
}

/** The response of one request. The first message makes it an event stream. */
export interface Channel {
  /** Aborted when the client has left or the service stops. */
  readonly signal: AbortSignal;
  /** False for a client that accepts only JSON: nothing can be sent before the response. */
  readonly isStream: boolean;
  send(message: object): void;
}

/** One request. */
export interface Call {
  caller: Caller;
  /** The session of an older client; request ids are unique within it. */
  sessionId: string;
  client: Client;
  id: RequestId;
  method: string;
  params: Params;
  channel: Channel;
  /** Where a person finds the page of the service. */
  baseUrl: string;
}

export type Handler = (call: Call) => Promise<Result>;

export function progressTokenOf({ params }: Pick<Call, "params">): RequestId | undefined {
  const meta = params["_meta"];
  const token =
    typeof meta === "object" && meta !== null && !Array.isArray(meta) ? meta["progressToken"] : undefined;
  return typeof token === "string" || typeof token === "number" ? token : undefined;
}
