import { Plus, Send } from "lucide-react";
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { MAX_CHAT_MESSAGE_LENGTH } from "../../../contract/chat-message-length.ts";
import { FormattedText } from "../../ui/formatted-text.tsx";
import { type Turn, useConversation } from "./use-conversation.ts";

const isEmbedded = window.parent !== window;

/** The public page of a chat, also in a frame of another site. Most of its visitors have no account. */
export function ChatPage({ slug }: { slug: string }) {
  const conversation = useConversation(slug);
  const { chat, problem, turns } = conversation;
  const end = useRef<HTMLDivElement>(null);
  useEffect(() => {
    document.title = chat?.title ?? "Chat";
  }, [chat]);
  // Follows the answer while it is written.
  useEffect(() => {
    // In braces: newer browsers return a promise, which React would treat as a cleanup function.
    end.current?.scrollIntoView({ block: "end" });
  }, [turns]);
  useEffect(() => {
    if (!isEmbedded) return;
    const close = (event: globalThis.KeyboardEvent) => {
      // The message holds nothing, so any site may receive it.
      if (event.key === "Escape") window.parent.postMessage("baton-chat-close", "*");
    };
    window.addEventListener("keydown", close);
    return () => window.removeEventListener("keydown", close);
  }, []);
  if (problem !== undefined)
    return (
      <main className="visitor-chat">
        <div className="visitor-problem stack tight" role="alert">
          <h1>{problem.needsLogin === true ? "Sign in first" : "This chat is not available"}</h1>
          <p className="muted">{problem.message}</p>
          {problem.canRetry === true && (
            <button type="button" className="btn" onClick={conversation.reload}>
              Try again
            </button>
          )}
          {problem.needsLogin === true && (
            <a className="btn go" href="/" target={isEmbedded ? "_blank" : undefined} rel="noopener">
              Sign in
            </a>
          )}
        </div>
      </main>
    );
  return (
    <main className="visitor-chat">
      <header className="visitor-head">
        <h1 className="grow ellipsis">{chat?.title ?? ""}</h1>
        {turns.length > 0 && (
          <button type="button" className="btn" onClick={conversation.restart}>
            <Plus size={14} aria-hidden /> New conversation
          </button>
        )}
      </header>
      <div className="visitor-feed" role="log" aria-label="Conversation" tabIndex={0}>
        <div className="visitor-turns">
          {chat !== undefined && chat.greeting !== "" && <Answer text={chat.greeting} />}
          {turns.map((turn) => (
            <Exchange key={turn.messageId} turn={turn} onRetry={() => conversation.retry(turn)} />
          ))}
          <div ref={end} />
        </div>
      </div>
      {chat !== undefined && (
        <Composer placeholder={chat.placeholder} isBusy={conversation.isBusy} onSend={conversation.send} />
      )}
    </main>
  );
}

function Exchange({ turn, onRetry }: { turn: Turn; onRetry: () => void }) {
  return (
    <>
      <div className="visitor-question">
        <span className="visually-hidden">You: </span>
        {turn.question}
      </div>
      {turn.answer !== "" && <Answer text={turn.answer} />}
      {turn.status === "running" && turn.answer === "" && (
        <p className="visitor-wait muted" role="status">
          Writing an answer …
        </p>
      )}
      {turn.status === "failed" && (
        <div className="notice bad" role="alert">
          <span className="grow">{turn.problem}</span>
          <button type="button" className="btn" onClick={onRetry}>
            Try again
          </button>
        </div>
      )}
    </>
  );
}

function Answer({ text }: { text: string }) {
  return (
    <div className="visitor-answer">
      <span className="visually-hidden">Answer: </span>
      <FormattedText text={text} />
    </div>
  );
}

interface ComposerProps {
  placeholder: string;
  isBusy: boolean;
  onSend: (text: string) => void;
}

function Composer({ placeholder, isBusy, onSend }: ComposerProps) {
  const [text, setText] = useState("");
  const canSend = text.trim() !== "" && !isBusy;
  function send(): void {
    if (!canSend) return;
    onSend(text.trim());
    setText("");
  }
  function onKeyDown(event: KeyboardEvent): void {
    // While an input method composes a word, Enter belongs to it.
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    send();
  }
  return (
    <form
      className="visitor-composer"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <textarea
        className="in"
        aria-label="Message"
        rows={Math.min(6, text.split("\n").length)}
        maxLength={MAX_CHAT_MESSAGE_LENGTH}
        placeholder={placeholder}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <button type="submit" className="btn go icon" aria-label="Send" disabled={!canSend}>
        <Send size={16} aria-hidden />
      </button>
      <p className="small muted visitor-limit" role="status">
        {text.length >= MAX_CHAT_MESSAGE_LENGTH &&
          `A message has at most ${MAX_CHAT_MESSAGE_LENGTH.toLocaleString("en")} characters. Send the rest in a second one.`}
      </p>
    </form>
  );
}
