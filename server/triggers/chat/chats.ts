import type {
  ConversationMessage,
  PublicChat,
  PublicChatEvent,
  SendChatMessage,
} from "../../../contract/public-chat.ts";
import type { JsonValue } from "../../../contract/placeholders/json-value.ts";
import { agentRunWorkflow } from "../../agents/agent-run.ts";
import type { LiveAnswers } from "../../agents/live-answers.ts";
import { toAnswerText } from "../../chat/answer-text.ts";
import type { Engine, StartTask, TaskWithSteps } from "../../engine/engine-api.ts";
import { isFinal } from "../../engine/tasks/task.ts";
import { type Clock, toIso } from "../../lib/clock.ts";
import { AppError, notFound } from "../../lib/errors.ts";
import { createId } from "../../lib/ids.ts";
import type { Limits } from "../../limits/limits.ts";
import { workflowPaused } from "../../workflows/paused.ts";
import type { CurrentWorkflow } from "../../workflows/runnable-workflow.sql.ts";
import type { TriggerRecord, TriggerStore } from "../trigger.sql.ts";
import { answeringStep } from "./answering-step.ts";
import type { Exchange, ExchangeStore, ListedExchange } from "./exchange.sql.ts";

export type ChatRecord = TriggerRecord<"chat">;

export interface ChatsDeps {
  store: Pick<TriggerStore, "findBySlug">;
  exchanges: ExchangeStore;
  engine: Pick<Engine, "start" | "settled" | "read">;
  /** The newest version; undefined when the workflow was deleted. */
  currentWorkflow(workflowId: string, ownerId: string): Promise<CurrentWorkflow | undefined>;
  liveAnswers: LiveAnswers;
  limits: Pick<Limits, "exceeds" | "max" | "refuse">;
  clock: Clock;
}

export type Chats = ReturnType<typeof createChats>;

/** Messages before the new one that its run receives. */
const HISTORY_EXCHANGES = 20;
const HISTORY_CHARACTERS = 100_000;
const EXCHANGES_PER_CONVERSATION = 500;
const SHOWN_EXCHANGES = 100;
const MAX_ANSWER_LENGTH = 100_000;
const WAIT_MS = 15 * 60_000;

/** Visitors learn that an answer failed, never why: the reason is in the run. */
const FAILED = {
  event: "failed",
  error: "execution_failed",
  message: "The answer failed. Try again.",
} as const;
const WAITING_TEXT = "Your message was received. A person has to look at it first.";

/** Conversations of people with a workflow or an agent, stored message by message. */
export function createChats(deps: ChatsDeps) {
  const { store, exchanges, engine, currentWorkflow, liveAnswers, limits, clock } = deps;

  /** Throws `chat_not_found`. A paused chat answers like an unknown one. */
  async function find(slug: string): Promise<ChatRecord> {
    const chat = await store.findBySlug(slug);
    if (chat === undefined || !chat.active) throw notFound("chat", slug);
    return chat;
  }

  /** The answer of a run that ended while nobody waited is read from its task. */
  async function resolved({ taskStatus, ...exchange }: ListedExchange): Promise<Exchange> {
    if (exchange.status !== "running" || exchange.taskId === null) return exchange;
    // A run in progress is not read: it may have many steps.
    if (taskStatus === null || !isFinal(taskStatus)) return exchange;
    const run = await engine.read(exchange.taskId);
    return run === undefined ? exchange : storeAnswer(exchange, run);
  }

  async function storeAnswer(exchange: Exchange, { task }: TaskWithSteps): Promise<Exchange> {
    const ended =
      task.status === "completed"
        ? { status: "answered" as const, answer: storable(await toAnswerText(task.result?.output ?? null)) }
        : { status: "failed" as const, answer: null };
    await exchanges.ended(exchange.id, ended);
    return { ...exchange, ...ended };
  }

  async function historyBefore({ triggerId, conversation, id }: Exchange): Promise<ChatMessage[]> {
    const earlier = await exchanges.list(triggerId, conversation, { before: id, limit: HISTORY_EXCHANGES });
    const messages = (await Promise.all(earlier.map(resolved))).flatMap(toMessages);
    let left = HISTORY_CHARACTERS;
    // The oldest messages are left out first.
    const kept = messages.toReversed().filter(({ content }) => (left -= content.length) >= 0);
    return kept.toReversed();
  }

  /** Throws `workflow_paused`, or `chat_not_found` when nothing answers it any more. Undefined: an agent answers. */
  async function workflowOf({ workflowId, ownerId }: ChatRecord): Promise<CurrentWorkflow | undefined> {
    if (workflowId === null) return undefined;
    const workflow = await currentWorkflow(workflowId, ownerId);
    if (workflow === undefined) throw notFound("chat");
    if (!workflow.isActive) throw workflowPaused();
    return workflow;
  }

  function workOf(
    { ownerId, settings }: ChatRecord,
    workflow: CurrentWorkflow | undefined,
    { id: messageId, conversation: conversationId, message }: Exchange,
    history: ChatMessage[],
    onText: (text: string) => void,
  ): Pick<StartTask, "workflow" | "input"> & { close(): void } {
    if (workflow === undefined) {
      const live = liveAnswers.open(onText);
      const messages = [...history, { role: "user" as const, content: message }];
      return {
        workflow: { ...agentRunWorkflow, ownerId },
        input: {
          agentId: settings.agentId,
          message,
          messages: messages as unknown as JsonValue,
          conversationId,
          live: live.key,
        },
        close: live.close,
      };
    }
    const path = answeringStep(workflow);
    const close =
      path === undefined
        ? () => undefined
        : liveAnswers.openStep({ workflowId: workflow.id, messageId, path }, onText);
    const input = { message, messageId, conversationId, history: history as unknown as JsonValue };
    return { workflow, input, close };
  }

  async function assertRoom(chat: ChatRecord, conversation: string): Promise<void> {
    if ((await exchanges.countConversation(chat.id, conversation)) >= EXCHANGES_PER_CONVERSATION)
      throw new AppError("limit_reached", "This conversation is full. Start a new one.");
    if (limits.max("chat_messages", chat.ownerId) === 0) return;
    if (limits.exceeds("chat_messages", (await exchanges.countOwned(chat.ownerId)) + 1, chat.ownerId))
      throw limits.refuse(
        "chat_messages",
        "This chat accepts no more messages. Its owner has to remove some.",
        { ownerId: chat.ownerId },
      );
  }

  async function start(
    chat: ChatRecord,
    { id, conversation }: Exchange,
    { workflow, input }: Pick<StartTask, "workflow" | "input">,
  ): Promise<string> {
    try {
      const { taskId } = await engine.start({
        workflow,
        input,
        trigger: "chat",
        conversation,
        // Nobody could correct a message that a newer input schema refuses.
        inputUnchecked: true,
        idempotency: { scope: `chat:${chat.id}`, key: id, bodyHash: "", matchesAnyBody: true },
      });
      return taskId;
    } catch (error) {
      // Nothing answers it. The same message may be sent again.
      await exchanges.ended(id, { status: "failed", answer: null });
      throw error;
    }
  }

  return {
    find,

    /** What a visitor may read of a chat. Throws as a message would, so that nobody writes one in vain. */
    async describe(slug: string): Promise<PublicChat> {
      const chat = await find(slug);
      await workflowOf(chat);
      return toPublicChat(chat);
    },

    /**
     * Starts the run and sends the events of the answer, `finished` or `failed` last. It continues when `signal` is aborted.
     * A message that was sent before continues with its run.
     */
    async answer(
      chat: ChatRecord,
      conversation: string,
      given: SendChatMessage,
      { emit, signal }: { emit: (event: PublicChatEvent) => void; signal: AbortSignal },
    ): Promise<void> {
      const workflow = await workflowOf(chat);
      await assertRoom(chat, conversation);
      const now = clock.now();
      const exchange = await exchanges.insert({
        id: createId("msg", now),
        ownerId: chat.ownerId,
        triggerId: chat.id,
        conversation,
        messageId: given.messageId,
        message: given.message,
        taskId: null,
        status: "running",
        answer: null,
        createdAt: now,
      });
      let hasStarted = false;
      let early = "";
      // The run may write before its start is recorded.
      const onText = (text: string) => (hasStarted ? emit({ event: "text", text }) : void (early += text));
      const work = workOf(chat, workflow, exchange, await historyBefore(exchange), onText);
      try {
        const taskId = exchange.taskId ?? (await start(chat, exchange, work));
        await exchanges.started(exchange.id, taskId);
        emit({ event: "started" });
        if (early !== "") emit({ event: "text", text: early });
        hasStarted = true;
        const settled = await engine.settled(taskId, WAIT_MS, { signal });
        if (!isFinal(settled.task.status)) return emit({ event: "finished", text: WAITING_TEXT });
        const { status, answer } = await storeAnswer({ ...exchange, taskId }, settled);
        emit(status === "answered" ? { event: "finished", text: answer ?? "" } : FAILED);
      } finally {
        work.close();
      }
    },

    async read(chat: ChatRecord, conversation: string): Promise<ConversationMessage[]> {
      const last = await exchanges.list(chat.id, conversation, { limit: SHOWN_EXCHANGES });
      return (await Promise.all(last.map(resolved))).flatMap(toShown);
    },

    forget: (chat: ChatRecord, conversation: string) => exchanges.removeConversation(chat.id, conversation),
  };
}

type ChatMessage = { role: "user" | "assistant"; content: string };

function toMessages({ message, answer }: Exchange): ChatMessage[] {
  return [
    { role: "user", content: message },
    ...(answer === null || answer === "" ? [] : [{ role: "assistant" as const, content: answer }]),
  ];
}

function toShown({ message, messageId, answer, status, createdAt }: Exchange): ConversationMessage[] {
  const common = { messageId, status, createdAt: toIso(createdAt) };
  return [
    { role: "user", text: message, ...common },
    ...(answer === null ? [] : [{ role: "assistant" as const, text: answer, ...common }]),
  ];
}

/** NUL and lone surrogates cannot be stored. */
function storable(text: string): string {
  return text.replaceAll(/[\0\p{Cs}]/gu, "").slice(0, MAX_ANSWER_LENGTH);
}

function toPublicChat({ settings }: ChatRecord): PublicChat {
  return {
    title: settings.title || "Chat",
    greeting: settings.greeting,
    placeholder: settings.placeholder || "Write a message",
    loginRequired: settings.access === "login",
  };
}
