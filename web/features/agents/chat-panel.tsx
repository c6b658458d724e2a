import { RotateCcw, Send, Square } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import type { UpdateAgent } from "../../../contract/agents.ts";
import { useModels } from "../../api/agents.ts";
import { type ChatTurn, toolCallsOf } from "../../flow/agent-chat.ts";
import { FormattedText } from "../../ui/formatted-text.tsx";
import { duration } from "../../ui/time.ts";
import { formatCost, formatCount } from "../../ui/tokens.ts";
import { ToolCallRow } from "./tool-call-row.tsx";
import type { useAgentChat } from "./use-agent-chat.ts";
import { neededRole, useMay } from "../../api/permissions.ts";

type Chat = ReturnType<typeof useAgentChat>;

interface ChatPanelProps {
  chat: Chat;
  changes: UpdateAgent;
  /** The agent calls the model of its own connection, so the service needs none. */
  hasConnection: boolean;
}

export function ChatPanel({ chat, changes, hasConnection }: ChatPanelProps) {
  const models = useModels();
  const hasModel = hasConnection || models.data === undefined || models.data.length > 0;
  const mayChat = useMay()("chatWithAgent");
  const end = useRef<HTMLDivElement>(null);
  // Follows the answer while it is written.
  useEffect(() => {
    // In braces: newer browsers return a promise, which React would treat as a cleanup function.
    end.current?.scrollIntoView({ block: "end" });
  }, [chat.turns]);
  return (
    <section className="playground-chat" aria-label="Chat">
      <div className="chat-feed" role="log" aria-label="Conversation" tabIndex={0}>
        {!hasModel && (
          <div className="notice wait">
            <span>
              No language model is configured. Choose a connection to your own account or server in the
              configuration, or set <code>LLM_PROVIDER</code>, <code>LLM_MODEL</code> and{" "}
              <code>LLM_API_KEY</code> and restart the service.
            </span>
          </div>
        )}
        {chat.turns.length === 0 && hasModel && mayChat && (
          <p className="muted chat-hint">
            Send a message to try the agent as it is configured here, saved or not. Workflows and MCP tools
            wait for your permission before they run.
          </p>
        )}
        {!mayChat && (
          <p className="muted chat-hint">
            Your role cannot chat with the agent. {neededRole("chatWithAgent")}
          </p>
        )}
        {chat.turns.map((turn, index) => (
          <Turn
            key={index}
            turn={turn}
            chat={chat}
            onRetry={index === chat.turns.length - 1 ? () => chat.retry(changes) : undefined}
          />
        ))}
        <div ref={end} />
      </div>
      {mayChat && <Composer chat={chat} changes={changes} disabled={!hasModel} />}
    </section>
  );
}

function Turn({ turn, chat, onRetry }: { turn: ChatTurn; chat: Chat; onRetry: (() => void) | undefined }) {
  return (
    <article className="chat-turn">
      <div className="chat-question pre">{turn.question}</div>
      {turn.items.map((item, index) =>
        item.kind === "text" ? (
          <div key={index} className="chat-answer">
            <FormattedText text={item.text} />
          </div>
        ) : (
          <ToolCallRow key={index} call={item} onDecide={(allow) => chat.decide(turn, item, allow)} />
        ),
      )}
      {turn.status === "running" && !toolCallsOf(turn).some(({ status }) => status === "asks") && (
        <p className="muted small" role="status">
          Writing …
        </p>
      )}
      {turn.error !== null && (
        <div className="notice bad" role="alert">
          {turn.error}
        </div>
      )}
      {turn.status !== "running" && (
        <div className="row small muted">
          {onRetry !== undefined && (
            <button type="button" className="btn tiny ghost" onClick={onRetry}>
              <RotateCcw size={13} /> Try again
            </button>
          )}
          <span className="grow" />
          {turn.status === "stopped" && <span>Stopped</span>}
          {turn.spent !== null && (
            <span>
              {formatCount(turn.spent.usage.totalTokens)} tokens
              {turn.spent.cost === undefined ? "" : ` · ${formatCost(turn.spent.cost)}`} · {duration(turn.ms)}
            </span>
          )}
        </div>
      )}
    </article>
  );
}

function Composer({ chat, changes, disabled }: { chat: Chat; changes: UpdateAgent; disabled: boolean }) {
  const [text, setText] = useState("");
  function send(): void {
    if (text.trim() === "" || chat.isRunning || disabled) return;
    chat.send(text.trim(), changes);
    setText("");
  }
  function onKeyDown(event: React.KeyboardEvent): void {
    if (event.key === "Enter" && (event.metaKey || event.ctrlKey)) {
      event.preventDefault();
      send();
    } else if (event.key === "ArrowUp" && text === "") {
      const last = chat.takeBack();
      if (last === undefined) return;
      event.preventDefault();
      setText(last);
    }
  }
  return (
    <form
      className="chat-composer"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <textarea
        className="in"
        rows={2}
        aria-label="Message"
        placeholder="Message"
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <div className="row">
        <span className="muted xs grow">
          <kbd>Ctrl Enter</kbd> sends, <kbd>↑</kbd> edits the last message
        </span>
        {chat.isRunning ? (
          <button type="button" className="btn" onClick={chat.stop}>
            <Square size={13} /> Stop
          </button>
        ) : (
          <button type="submit" className="btn go" disabled={disabled || text.trim() === ""}>
            <Send size={14} /> Send
          </button>
        )}
      </div>
    </form>
  );
}
