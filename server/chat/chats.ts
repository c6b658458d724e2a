import type { ChatCompletion, ChatCompletionRequest, ChatModel } from "../../contract/chat-completions.ts";
import type { Caller } from "../accounts/bearer-access.ts";
import { readIdempotencyKey } from "../endpoints/idempotency.ts";
import type { RecordCall } from "../exposure/client-calls.ts";
import type { ExposedRecord, Exposures } from "../exposure/exposures.ts";
import type { Clock } from "../lib/clock.ts";
import { AppError } from "../lib/errors.ts";
import { modelNotFound, readChatRequest } from "./chat-request.ts";
import type { ChatAnswer, StartChatRun } from "./chat-run.ts";
import { createChunks, toCompletion } from "./completion.ts";

export interface ChatsDeps {
  exposures: Pick<Exposures, "list" | "find">;
  start: StartChatRun;
  recordCall: RecordCall;
  clock: Clock;
  /** How long a call without a stream waits for its run. */
  waitMs: number;
}

/** A request whose run has started. */
export interface Chat {
  /** The id of the task or session. */
  id: string;
  answer(signal: AbortSignal): Promise<ChatCompletion>;
  /** Sends the answer as chunks. */
  stream(signal: AbortSignal): Promise<void>;
}

export type Chats = ReturnType<typeof createChats>;

/** A stream is open as long as its client reads it. */
const STREAM_WAIT_MS = 24 * 3600 * 1000;
const METHOD = "chat.completions";

/** Answers chats by exposed workflows, agents and teams. */
export function createChats({ exposures, start, recordCall, clock, waitMs }: ChatsDeps) {
  async function find(ownerId: string, name: string): Promise<ExposedRecord> {
    const record = await exposures.find(ownerId, "chat", name);
    if (record === undefined) throw modelNotFound(name);
    return record;
  }

  return {
    models: async (ownerId: string): Promise<ChatModel[]> =>
      (await exposures.list(ownerId, "chat")).map(toModel),
    model: async (ownerId: string, name: string): Promise<ChatModel> => toModel(await find(ownerId, name)),

    /** Starts the run. Throws what can be refused before it. `send` receives the events of a stream. */
    async open(
      { ownerId, callerId, callerName }: Caller,
      request: ChatCompletionRequest,
      idempotencyKey: string | string[] | undefined,
      send?: (data: string) => void,
    ): Promise<Chat> {
      const begunAt = clock.monotonic();
      let record: ExposedRecord | undefined;
      let taskId: string | undefined;

      /** Records the call once: when it fails, or at the end of its answer. `gone` is aborted when the client has left. */
      async function recorded<T>(work: () => Promise<T>, gone?: AbortSignal): Promise<T> {
        const call = (errorCode?: string) =>
          recordCall({
            ownerId,
            protocol: "chat",
            method: METHOD,
            record,
            callerId,
            callerName,
            taskId,
            errorCode,
            durationMs: clock.monotonic() - begunAt,
          });
        try {
          const result = await work();
          if (gone !== undefined) call();
          return result;
        } catch (error) {
          if (gone?.aborted === true) call("client_disconnected");
          else call(error instanceof AppError ? error.code : "internal_error");
          throw error;
        }
      }

      return recorded(async () => {
        const prompt = readChatRequest(request);
        record = await find(ownerId, request.model);
        const scope = `chat:${ownerId}:${record.kind}:${record.recordId}`;
        const idempotency = await readIdempotencyKey(idempotencyKey, scope, {
          ...request,
          stream: undefined,
        });
        const streamed = createStreamedText(send, request);
        const run = await start({ record, prompt, idempotency, onText: streamed?.write });
        taskId = run.id;
        const head = { id: run.id, model: record.name, createdAt: clock.now() };

        return {
          id: run.id,
          answer: (signal) =>
            recorded(async () => {
              const { text, usage } = await run.answer(waitMs, signal);
              return toCompletion(head, text, usage);
            }, signal),
          stream: (signal) =>
            recorded(async () => {
              streamed?.begin(head);
              streamed?.end(await run.answer(STREAM_WAIT_MS, signal));
            }, signal),
        };
      });
    },
  };
}

/** Writes the chunks of one answer. */
function createStreamedText(send: ((data: string) => void) | undefined, request: ChatCompletionRequest) {
  if (send === undefined) return undefined;
  const hasUsage = request.stream_options?.include_usage === true;
  let chunks: ReturnType<typeof createChunks> | undefined;
  let sent = "";
  let early = "";
  const sendChunk = (chunk: object) => send(JSON.stringify(chunk));

  function write(text: string): void {
    if (text === "") return;
    // The run may write before its id is known here.
    if (chunks === undefined) {
      early += text;
      return;
    }
    sent += text;
    sendChunk(chunks.text(text));
  }

  return {
    write,
    begin(head: Parameters<typeof createChunks>[0]): void {
      chunks = createChunks(head, hasUsage);
      sendChunk(chunks.first());
      write(early);
    },
    end({ text, usage }: ChatAnswer): void {
      write(restOf(text, sent));
      sendChunk(chunks!.last());
      if (hasUsage) sendChunk(chunks!.usage(usage));
      send("[DONE]");
    },
  };
}

/** What is missing after the text that was sent while it was written: nothing, the end, or all of another attempt. */
function restOf(text: string, sent: string): string {
  if (sent.trimEnd().endsWith(text.trim())) return "";
  if (text.startsWith(sent)) return text.slice(sent.length);
  return `\n\n${text}`;
}

function toModel({ name, kind, title, description, exposedAt }: ExposedRecord): ChatModel {
  return {
    id: name,
    object: "model",
    created: Math.floor(exposedAt / 1000),
    owned_by: kind as ChatModel["owned_by"],
    name: title,
    description,
  };
}
