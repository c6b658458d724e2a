import { useEffect, useRef, useState } from "react";
import {
  type DocumentAnswer,
  type DocumentSource,
  type QuestionScope,
  streamAnswer,
} from "../../api/documents.ts";

/** A question of the conversation, with its answer as far as it has arrived. */
export interface Turn {
  id: number;
  question: string;
  /** What has been written so far; `answer` replaces it. */
  text: string;
  sources: readonly DocumentSource[];
  answer?: DocumentAnswer;
  error?: unknown;
}

/** The service takes this many earlier questions. */
const MAX_HISTORY = 20;
const MAX_ANSWER_CHARACTERS = 20_000;

export const isRunning = ({ answer, error }: Turn): boolean => answer === undefined && error === undefined;

/** Questions and answers on this screen, newest first. The service stores none of them. */
export function useConversation(onAnswer: (answer: DocumentAnswer) => void) {
  const [turns, setTurns] = useState<readonly Turn[]>([]);
  const stop = useRef<AbortController>(undefined);
  const nextId = useRef(1);
  useEffect(() => () => stop.current?.abort(), []);

  async function ask(question: string, scope: QuestionScope): Promise<void> {
    stop.current?.abort();
    const { signal } = (stop.current = new AbortController());
    const id = nextId.current++;
    const change = (next: (turn: Turn) => Partial<Turn>): void =>
      setTurns((all) => all.map((turn) => (turn.id === id ? { ...turn, ...next(turn) } : turn)));
    setTurns((all) => [{ id, question, text: "", sources: [] }, ...all.filter((turn) => !isRunning(turn))]);
    try {
      for await (const event of streamAnswer(
        { query: question, history: historyOf(turns), ...scope },
        signal,
      )) {
        if (event.event === "sources") change(() => ({ sources: event.sources }));
        if (event.event === "text") change(({ text }) => ({ text: text + event.text }));
        if (event.event === "finished") {
          change(() => ({ answer: event }));
          onAnswer(event);
        }
      }
    } catch (error) {
      if (!signal.aborted) change(() => ({ error }));
    }
  }

  function startOver(): void {
    stop.current?.abort();
    setTurns([]);
  }

  return { turns, ask, startOver };
}

function historyOf(turns: readonly Turn[]): { question: string; answer: string }[] {
  return turns
    .flatMap(({ answer }) =>
      answer === undefined
        ? []
        : [{ question: answer.resolved_query, answer: answer.answer.slice(0, MAX_ANSWER_CHARACTERS) }],
    )
    .slice(0, MAX_HISTORY)
    .toReversed();
}
