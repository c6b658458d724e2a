import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** One scripted response; requests consume them in order, and the last one repeats. */
export type StubAnswer =
  | string
  | {
      text?: string;
      toolCalls?: { name: string; arguments: unknown }[];
      finishReason?: "stop" | "length" | "content_filter" | "tool_calls";
      refusal?: string;
      /** Responds with this status and an error body in OpenAI's format. */
      status?: number;
      headers?: Record<string, string>;
      /** Sent as the whole body, regardless of the request. */
      garbage?: string;
      /** Accepts the request and never responds. */
      hang?: true;
      /** Closes the connection after the first chunk. */
      cut?: true;
      /** A stream sends the first half of the text, and the rest once this resolves. */
      gate?: Promise<void>;
    };

export interface ChatRequest {
  model: string;
  stream?: boolean;
  temperature?: number;
  messages: { role: string; content: unknown; tool_calls?: unknown; tool_call_id?: string }[];
  tools?: { function: { name: string; parameters: unknown } }[];
  response_format?: unknown;
}

export interface StubModelServer {
  /** For LLM_BASE_URL. */
  baseUrl: string;
  requests: {
    body: ChatRequest;
    headers: IncomingMessage["headers"];
    path: string;
    /** The caller closed the connection before the end of the response. */
    wasAborted(): boolean;
  }[];
  /** Replaces the script; a function receives the request. */
  answerWith(...answers: StubAnswer[] | [(request: ChatRequest) => StubAnswer]): void;
  close(): Promise<void>;
}

/** An OpenAI-compatible server on loopback: chat completions, streaming, tools and failures. */
export async function startStubModelServer(): Promise<StubModelServer> {
  const requests: StubModelServer["requests"] = [];
  let answers: StubAnswer[] | [(request: ChatRequest) => StubAnswer] = ["Hello."];
  let served = 0;
  const server = createServer(async (request, response) => {
    const body = JSON.parse(await readBody(request)) as ChatRequest;
    const wasAborted = () => response.closed && !response.writableFinished;
    requests.push({ body, headers: request.headers, path: request.url ?? "", wasAborted });
    const next = answers[Math.min(served++, answers.length - 1)] ?? "Hello.";
    send(response, body, typeof next === "function" ? next(body) : next);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    answerWith(...given) {
      answers = given;
      served = 0;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Like `startStubModelServer`, closed when the running test ends. */
export async function useStubModelServer(): Promise<StubModelServer> {
  const stub = await startStubModelServer();
  onTestFinished(() => stub.close());
  return stub;
}

/** Environment variables that select the stub: `useTestApp(stubModelSettings(stub))`. */
export function stubModelSettings({ baseUrl }: StubModelServer): Record<string, string> {
  return {
    LLM_PROVIDER: "openai-compatible",
    LLM_MODEL: "stub-model",
    LLM_API_KEY: "sk-stub-key-0123456789",
    LLM_BASE_URL: baseUrl,
  };
}

async function readBody(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return Buffer.concat(pieces).toString();
}

function send(response: ServerResponse, request: ChatRequest, given: StubAnswer): void {
  const answer = typeof given === "string" ? { text: given } : given;
  if (answer.hang) return;
  if (answer.status !== undefined && answer.status !== 200) {
    response.writeHead(answer.status, { "content-type": "application/json", ...answer.headers });
    response.end(JSON.stringify({ error: { message: "no, and your key is sk-stub-key-0123456789" } }));
    return;
  }
  if (answer.garbage !== undefined) {
    response.writeHead(200, { "content-type": "application/json" }).end(answer.garbage);
    return;
  }
  const finishReason = answer.finishReason ?? (answer.toolCalls === undefined ? "stop" : "tool_calls");
  const usage = { prompt_tokens: 12, completion_tokens: 8, total_tokens: 20 };
  const toolCalls = answer.toolCalls?.map((call, index) => ({
    index,
    id: `call_${index}`,
    type: "function",
    function: { name: call.name, arguments: JSON.stringify(call.arguments) },
  }));
  const message = {
    role: "assistant",
    content: answer.text ?? null,
    ...(answer.refusal === undefined ? {} : { refusal: answer.refusal }),
    ...(toolCalls === undefined ? {} : { tool_calls: toolCalls }),
  };
  const head = { id: "chatcmpl-1", created: 1_700_000_000, model: request.model };
  if (request.stream !== true) {
    const body = JSON.stringify({
      ...head,
      object: "chat.completion",
      choices: [{ index: 0, message, finish_reason: finishReason }],
      usage,
    });
    response.writeHead(200, {
      "content-type": "application/json",
      "content-length": Buffer.byteLength(body),
    });
    if (answer.cut) response.write(body.slice(0, 20), () => response.destroy());
    else response.end(body);
    return;
  }
  void sendStream(response, head, {
    message,
    finishReason,
    usage,
    isCut: answer.cut === true,
    gate: answer.gate,
  });
}

async function sendStream(
  response: ServerResponse,
  head: object,
  answer: {
    message: { content: string | null };
    finishReason: string;
    usage: object;
    isCut: boolean;
    gate: Promise<void> | undefined;
  },
): Promise<void> {
  response.writeHead(200, { "content-type": "text/event-stream" });
  const chunk = (choice: object, more: object = {}): string =>
    `data: ${JSON.stringify({ ...head, object: "chat.completion.chunk", choices: [{ index: 0, ...choice }], ...more })}\n\n`;
  const pieces = answer.message.content?.match(/\S+\s*|\s+/g) ?? [];
  const { content: _content, ...rest } = answer.message;
  const chunks = [
    ...pieces.map((content) => chunk({ delta: { role: "assistant", content }, finish_reason: null })),
    ...("tool_calls" in rest ? [chunk({ delta: rest, finish_reason: null })] : []),
    chunk({ delta: {}, finish_reason: answer.finishReason }, { usage: answer.usage }),
    "data: [DONE]\n\n",
  ];
  if (answer.gate !== undefined) {
    response.write(chunks.splice(0, Math.ceil(pieces.length / 2)).join(""));
    await answer.gate;
  }
  if (answer.isCut) response.end(chunks[0]);
  else response.end(chunks.join(""));
}
