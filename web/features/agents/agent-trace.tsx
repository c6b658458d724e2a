import { Sparkles, Wrench } from "lucide-react";
import { type ChatTurn, toolCallsOf, traceOf, type TraceRow } from "../../flow/agent-chat.ts";
import { formatCost, formatCount } from "../../ui/tokens.ts";
import { duration } from "../../ui/time.ts";

/** What happened in each turn, in time: calls of the model and of tools. */
export function AgentTrace({ turns }: { turns: readonly ChatTurn[] }) {
  if (turns.length === 0)
    return (
      <p className="muted small">
        Model calls and tool calls of the chat appear here, with times and tokens.
      </p>
    );
  return turns.map((turn, index) => <TurnTrace key={index} turn={turn} number={index + 1} />);
}

function TurnTrace({ turn, number }: { turn: ChatTurn; number: number }) {
  const rows = traceOf(turn);
  const total = Math.max(1, turn.ms);
  const count = (value: number, word: string): string => `${value} ${word}${value === 1 ? "" : "s"}`;
  const modelCalls = rows.filter(({ kind }) => kind === "model").length;
  const waits = toolCallsOf(turn).some(({ status }) => status === "asks");
  return (
    <section className="trace-turn">
      <h2>
        Turn {number}{" "}
        {waits ? (
          <span className="waiting">Waiting for you</span>
        ) : (
          <span className="muted small">
            {duration(turn.ms)} · {count(modelCalls, "model call")} ·{" "}
            {count(toolCallsOf(turn).length, "tool call")}
          </span>
        )}
      </h2>
      <ol>
        {rows.map((row, index) => (
          <Row key={index} row={row} total={total} />
        ))}
      </ol>
      {turn.spent !== null && (
        <p className="muted small">
          {turn.model} · {formatCount(turn.spent.usage.totalTokens)} tokens
          {turn.spent.cost === undefined ? "" : ` · ${formatCost(turn.spent.cost)}`}
        </p>
      )}
    </section>
  );
}

function Row({ row, total }: { row: TraceRow; total: number }) {
  const { kind, label, startMs, endMs, status, tokens } = row;
  return (
    <li>
      {kind === "model" ? <Sparkles size={13} /> : <Wrench size={13} />}
      <span className="ellipsis" title={label}>
        {label}
      </span>
      <span className="trace-lane" aria-hidden>
        <i
          className={`${kind} ${status}`}
          style={{
            left: `${(100 * startMs) / total}%`,
            width: `${Math.max(1, (100 * (endMs - startMs)) / total)}%`,
          }}
        />
      </span>
      <span className="muted small nowrap">
        {status === "asks" ? "waiting" : duration(endMs - startMs)}
        {tokens === null ? "" : ` · ${tokens} tok`}
      </span>
    </li>
  );
}
