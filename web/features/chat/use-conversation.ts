import { useEffect, useRef, useState } from "react";
import { localValues } from "../../api/browser-storage.ts";
import {
  type ChatProblem,
  type ConversationMessage,
  type PublicChat,
  readChat,
  readConversation,
  sendMessage,
} from "../../api/public-chat.ts";

/** A message and its answer as far as it is written. */
export interface Turn {
  messageId: string;
  question: string;
  answer: string;
  status: "running" | "answered" | "failed";
  problem?: string;
  /** The run itself failed: the same message would get the same answer. */
  isRunFailed?: boolean;
}

const POLL_MS = 3000;

/** The conversation of this browser with a chat. Its id is kept, so that the conversation is there after a reload. */
export function useConversation(slug: string) {
  const [chat, setChat] = useState<PublicChat>();
  const [problem, setProblem] = useState<ChatProblem>();
  const [conversationId, setConversationId] = useState(() => storedId(slug));
  const [turns, setTurns] = useState<Turn[]>([]);
  /** Rises with each new attempt to load the chat. */
  const [attempt, setAttempt] = useState(0);
  /** Messages whose answer this page reads itself. */
  const reading = useRef(new Set<string>());

  function change(messageId: string, next: Partial<Turn> | ((turn: Turn) => Partial<Turn>)): void {
    setTurns((all) =>
      all.map((turn) =>
        turn.messageId === messageId
          ? { ...turn, ...(typeof next === "function" ? next(turn) : next) }
          : turn,
      ),
    );
  }

  useEffect(() => {
    let isCurrent = true;
    void (async () => {
      const found = await readChat(slug);
      if (!isCurrent) return;
      if (!("chat" in found)) return setProblem(found);
      setChat(found.chat);
      const kept = await readConversation(slug, conversationId);
      if (!isCurrent) return;
      if ("messages" in kept) setTurns((sent) => withSent(toTurns(kept.messages), sent));
      else setProblem(kept);
    })();
    return () => void (isCurrent = false);
  }, [slug, conversationId, attempt]);

  // The answer of a message that was sent before a reload comes without a stream.
  const isWaiting = turns.some(
    ({ messageId, status }) => status === "running" && !reading.current.has(messageId),
  );
  useEffect(() => {
    if (!isWaiting) return;
    const timer = setInterval(() => {
      void readConversation(slug, conversationId).then((kept) => {
        if ("messages" in kept && reading.current.size === 0) setTurns(toTurns(kept.messages));
      });
    }, POLL_MS);
    return () => clearInterval(timer);
  }, [isWaiting, slug, conversationId]);

  async function read(messageId: string, message: string): Promise<void> {
    reading.current.add(messageId);
    for await (const event of sendMessage(slug, { conversationId, messageId, message })) {
      if (event.event === "text") change(messageId, ({ answer }) => ({ answer: answer + event.text }));
      if (event.event === "finished") change(messageId, { answer: event.text, status: "answered" });
      if (event.event === "failed")
        change(messageId, { status: "failed", problem: event.message, isRunFailed: "error" in event });
    }
    reading.current.delete(messageId);
  }

  return {
    chat,
    problem,
    turns,
    isBusy: turns.at(-1)?.status === "running",
    send(question: string): void {
      const messageId = randomId();
      setTurns((all) => [...all, { messageId, question, answer: "", status: "running" }]);
      void read(messageId, question);
    },
    /** A message that did not arrive is sent again; one whose run failed is asked anew. */
    retry({ messageId, question, isRunFailed }: Turn): void {
      const next = isRunFailed === true ? randomId() : messageId;
      setTurns((all) => [
        ...all.filter((turn) => turn.messageId !== messageId),
        { messageId: next, question, answer: "", status: "running" },
      ]);
      void read(next, question);
    },
    /** Loads the chat again after a problem. */
    reload(): void {
      setProblem(undefined);
      setAttempt((before) => before + 1);
    },
    restart(): void {
      const id = randomId();
      localValues.save(keyOf(slug), id);
      setTurns([]);
      setConversationId(id);
    },
  };
}

function toTurns(messages: readonly ConversationMessage[]): Turn[] {
  const turns: Turn[] = [];
  for (const { role, text, messageId, status } of messages) {
    const last = turns.at(-1);
    if (role === "assistant" && last?.messageId === messageId) last.answer = text;
    else
      turns.push({
        messageId,
        question: text,
        answer: "",
        status,
        ...(status === "failed" && { problem: "The answer failed. Try again.", isRunFailed: true }),
      });
  }
  return turns;
}

/** Messages sent while the stored ones were read stay, also those that are stored by now. */
function withSent(stored: readonly Turn[], sent: readonly Turn[]): Turn[] {
  const ids = new Set(sent.map(({ messageId }) => messageId));
  return [...stored.filter(({ messageId }) => !ids.has(messageId)), ...sent];
}

const keyOf = (slug: string) => `baton.chat.${slug}`;

function storedId(slug: string): string {
  const kept = localValues.read(keyOf(slug));
  if (kept !== null && /^[\w-]{22,64}$/.test(kept)) return kept;
  const id = randomId();
  localValues.save(keyOf(slug), id);
  return id;
}

/** Not `randomUUID`, which browsers offer only over HTTPS. */
function randomId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(18));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_");
}
