import type { Client, Transport } from "@modelcontextprotocol/client";
import packageFile from "../../package.json" with { type: "json" };
import type { JsonValue } from "../../contract/placeholders/json-value.ts";
import type { Clock } from "../lib/clock.ts";
import { createDeadline } from "../lib/deadline.ts";
import { AppError } from "../lib/errors.ts";
import { checkSchema } from "../models/json-schema.ts";
import type { Egress } from "../security/egress.ts";
import type { Tracing } from "../telemetry/tracing.ts";
import { answerForm } from "./answer-form.ts";
import { createHandshakeCache } from "./handshake-cache.ts";
import { limitBytes } from "../lib/limited-fetch.ts";
import { toMcpError } from "./mcp-error.ts";
import { type HttpTarget, labelOf, type McpCallOptions, type McpTarget } from "./mcp-target.ts";
import { watchTransport } from "./watched-transport.ts";

const MAX_BYTES = 10 * 1024 * 1024;
/** Until a tool is called or content is read. The library checks lists of tools in one turn of the event loop. */
const MAX_LIST_BYTES = 2 * 1024 * 1024;
const CONTENT_METHODS = new Set(["tools/call", "resources/read", "prompts/get"]);
const MIN_RETRY_MS = 250;
const MAX_RETRY_MS = 60_000;
const STDIO_PROBE_MS = 3000;
const RECONNECTION = {
  maxRetries: 5,
  initialReconnectionDelay: 500,
  maxReconnectionDelay: 8000,
  reconnectionDelayGrowFactor: 2,
};

export interface McpClientsDeps {
  egress: Pick<Egress, "webFetch">;
  clock: Clock;
  tracing?: Tracing | undefined;
  /** Limits all responses of the server in one call. */
  maxBytes?: number;
  /** A server may ask for any delay before a stream is resumed; a shorter one would flood it. */
  minRetryMs?: number;
}

/** A connection for one call. */
export interface McpSession {
  client: Client;
  /** The options of every request of the call. */
  waiting: { signal: AbortSignal; timeout: number };
  answers: McpCallOptions["answers"];
  /** The task handle that the server returned last in place of a result. */
  takeTask(): Record<string, unknown> | undefined;
  tracing: Tracing | undefined;
}

export type McpClients = ReturnType<typeof createMcpClients>;

/** Calls MCP servers. One client per call: a shared one could mix up the responses of different owners. */
export function createMcpClients({
  egress,
  clock,
  tracing,
  maxBytes = MAX_BYTES,
  minRetryMs = MIN_RETRY_MS,
}: McpClientsDeps) {
  const handshakes = createHandshakeCache(clock);

  async function open(
    target: McpTarget,
    onBroken: (error: Error) => void,
    watch: TaskWatch,
  ): Promise<Transport> {
    if (target.kind === "stdio") return target.open(onBroken);
    const { StreamableHTTPClientTransport } = await import("@modelcontextprotocol/client");
    let allowedBytes = Math.min(maxBytes, MAX_LIST_BYTES);
    const transport = new StreamableHTTPClientTransport(target.url, {
      fetch: limitBytes(target.fetch ?? egress.webFetch, () => allowedBytes, onBroken),
      requestInit: { headers: { ...target.headers } },
      ...(target.authProvider === undefined ? {} : { authProvider: target.authProvider }),
      reconnectionOptions: RECONNECTION,
      reconnectionScheduler(reconnect, delayMs) {
        const timer = setTimeout(reconnect, Math.min(Math.max(delayMs, minRetryMs), MAX_RETRY_MS));
        return () => clearTimeout(timer);
      },
    });
    const onRequest = (method: string): void => {
      if (CONTENT_METHODS.has(method)) allowedBytes = maxBytes;
    };
    watchTransport(transport, { onBroken, onRequest, onTask: watch.onTask });
    return transport;
  }

  async function connect(
    target: McpTarget,
    client: Client,
    transport: Transport,
    waiting: McpSession["waiting"],
  ): Promise<void> {
    const prior = target.kind === "http" ? handshakes.find(target.url) : undefined;
    await client.connect(transport, { ...waiting, ...(prior === undefined ? {} : { prior }) });
    if (target.kind === "http") handshakes.save(target.url, client.getProtocolEra());
  }

  return {
    /** Connects, runs `use` and closes, all within the time limit. Throws an AppError. */
    async call<T>(
      target: McpTarget,
      options: McpCallOptions,
      use: (session: McpSession) => Promise<T>,
    ): Promise<T> {
      const broken = new AbortController();
      const deadline = createDeadline(options.timeoutMs, {
        outer: AbortSignal.any([options.signal, broken.signal]),
        reason: () => timedOut(labelOf(target), options.timeoutMs),
      });
      let task: Record<string, unknown> | undefined;
      const client = await createClient(target, options.answers);
      let opening: Promise<Transport> | undefined;
      const work = async (): Promise<T> => {
        opening = open(target, (error) => broken.abort(error), { onTask: (handle) => (task = handle) });
        const transport = await opening;
        const waiting = { signal: deadline.signal, timeout: options.timeoutMs };
        await connect(target, client, transport, waiting);
        const takeTask = (): Record<string, unknown> | undefined => task;
        const result = await use({ client, waiting, answers: options.answers, takeTask, tracing });
        endSession(target, transport, egress.webFetch);
        return result;
      };
      try {
        return await deadline.race(work());
      } catch (error) {
        throw toMcpError(broken.signal.reason ?? error, target, options.signal);
      } finally {
        deadline.clear();
        await client.close();
        // Until the version is known, the client does not own the transport and leaves its program running.
        const transport = await opening?.catch(() => undefined);
        await transport?.close();
      }
    },
  };
}

interface TaskWatch {
  onTask(handle: Record<string, unknown>): void;
}

async function createClient({ kind }: McpTarget, answers: McpCallOptions["answers"]): Promise<Client> {
  const { Client: McpClient } = await import("@modelcontextprotocol/client");
  const client = new McpClient(
    { name: "baton", version: packageFile.version },
    {
      capabilities: {
        ...(answers === undefined ? {} : { elicitation: { form: {} } }),
        extensions: { "io.modelcontextprotocol/tasks": {} },
      },
      versionNegotiation: {
        mode: "auto",
        // Old servers over stdio do not answer the question about the version.
        ...(kind === "stdio" ? { probe: { timeoutMs: STDIO_PROBE_MS } } : {}),
      },
      jsonSchemaValidator: { getValidator: validatorOf },
    },
  );
  if (answers !== undefined)
    client.setRequestHandler("elicitation/create", ({ params }) => answerForm(answers, params));
  return client;
}

/** Replaces the library's own validator, which compiles schemas of untrusted servers into code. */
function validatorOf(schema: unknown) {
  return (input: unknown) => {
    const [problem] = checkSchema(input as JsonValue, schema);
    return problem === undefined
      ? { valid: true as const, data: input as never, errorMessage: undefined }
      : { valid: false as const, data: undefined, errorMessage: `${problem.path} ${problem.message}` };
  };
}

/** Tells a server with sessions that this one is over. The call does not wait for it. */
function endSession(target: McpTarget, transport: Transport, fetch: typeof globalThis.fetch): void {
  if (target.kind !== "http" || transport.sessionId === undefined) return;
  const send = target.fetch ?? fetch;
  void sessionHeaders(target, transport)
    .then((headers) => send(target.url, { method: "DELETE", headers, signal: AbortSignal.timeout(5000) }))
    .then((response) => response.body?.cancel())
    .catch(() => undefined);
}

async function sessionHeaders(target: HttpTarget, { sessionId = "" }: Transport) {
  const token = await target.authProvider?.token();
  const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
  return { ...target.headers, ...authorization, "mcp-session-id": sessionId };
}

function timedOut(label: string, timeoutMs: number): AppError {
  return new AppError("request_timeout", `${label} did not respond within ${timeoutMs} ms.`, {
    retryable: true,
  });
}
