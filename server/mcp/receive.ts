import type { IncomingHttpHeaders } from "node:http";
import { answerOf } from "./approvals.ts";
import type { Call, Caller, Channel } from "./call.ts";
import type { createOpenCalls } from "./open-calls.ts";
import { errorResponse, type Result, RPC, RpcFailure } from "./protocol.ts";
import { idOf, type Message, readMessage } from "./read-message.ts";
import { checkModernRequest, isModern } from "./request-headers.ts";
import type { Runs } from "./runs.ts";
import type { Tracing } from "../telemetry/tracing.ts";
import { traceCall } from "./traced-call.ts";
import { type createLegacySessions, modernClient } from "./sessions.ts";
import type { SignedState } from "./signed-state.ts";

export interface Received {
  caller: Caller;
  channel: Channel;
  headers: IncomingHttpHeaders;
  body: unknown;
  baseUrl: string;
}

export interface Response {
  status: number;
  headers: Record<string, string>;
  body?: object;
}

export interface ReceiveDeps {
  dispatch(call: Call): Promise<Result>;
  sessions: ReturnType<typeof createLegacySessions>;
  openCalls: Pick<ReturnType<typeof createOpenCalls>, "cancel" | "isCancelled">;
  runs: Pick<Runs, "decide">;
  state: SignedState;
  tracing?: Tracing | undefined;
}

export type Receive = (received: Received) => Promise<Response>;

const ACCEPTED: Response = { status: 202, headers: {} };

/** From one HTTP body to its HTTP response: decides the version, checks the message and runs it. */
export function createReceive({ dispatch, sessions, openCalls, runs, state, tracing }: ReceiveDeps): Receive {
  async function run(call: Call, headers: Record<string, string> = {}): Promise<Response> {
    const result = await (tracing === undefined ? dispatch(call) : traceCall(tracing, call, dispatch));
    // MCP: the receiver of a cancellation does not answer the cancelled request.
    if (openCalls.isCancelled(call)) return ACCEPTED;
    return { status: 200, headers, body: { jsonrpc: "2.0", id: call.id, result } };
  }

  function receiveModern(received: Received, message: Message): Promise<Response> {
    if (message.kind === "response") throw invalid("A client sends answers with its next request.");
    // No notification of a client is defined for HTTP.
    if (message.kind === "notification") return Promise.resolve(ACCEPTED);
    const meta = checkModernRequest(received.headers, message.method, message.params);
    return run({ ...received, ...message, client: modernClient(meta), sessionId: "" });
  }

  /** The answer of a user to a question of a run. It may arrive at another process than the one that asked. */
  async function receiveAnswer(caller: Caller, message: Extract<Message, { kind: "response" }>) {
    const question = typeof message.id === "string" ? state.verify(message.id) : undefined;
    if (question === undefined || question["owner"] !== caller.ownerId) return;
    const answer = answerOf(String(question["key"]), message.result, caller);
    if (answer !== undefined) await runs.decide(caller.ownerId, String(question["run"]), answer);
  }

  async function receiveLegacy(received: Received, message: Message): Promise<Response> {
    const { caller } = received;
    if (message.kind === "request" && message.method === "initialize") {
      const id = sessions.open(caller, message.params["capabilities"]);
      const { client } = sessions.read(caller, id)!;
      return run({ ...received, ...message, client, sessionId: id }, { "mcp-session-id": id });
    }
    const given = received.headers["mcp-session-id"];
    const session = sessions.read(caller, Array.isArray(given) ? given[0] : given);
    // The client opens a new session then.
    if (session === undefined)
      throw new RpcFailure(RPC.invalidRequest, "The session is unknown. Send initialize again.", {
        status: 404,
      });
    if (message.kind === "request")
      return run({ ...received, ...message, client: session.client, sessionId: session.id });
    if (message.kind === "response") await receiveAnswer(caller, message);
    else if (message.method === "notifications/cancelled") {
      const requestId = message.params["requestId"];
      if (typeof requestId === "string" || typeof requestId === "number")
        openCalls.cancel({ caller, sessionId: session.id, id: requestId });
    }
    return ACCEPTED;
  }

  return async (received) => {
    try {
      const message = readMessage(received.body);
      const params = message.kind === "response" ? {} : message.params;
      return await (isModern(received.headers, params)
        ? receiveModern(received, message)
        : receiveLegacy(received, message));
    } catch (error) {
      if (!(error instanceof RpcFailure)) throw error;
      return { status: error.status, headers: {}, body: errorResponse(idOf(received.body), error.error) };
    }
  };
}

function invalid(message: string): RpcFailure {
  return new RpcFailure(RPC.invalidRequest, message, { status: 400 });
}
