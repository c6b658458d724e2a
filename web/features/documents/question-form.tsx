import { MessageSquarePlus } from "lucide-react";
import { type FormEvent, useRef, useState } from "react";
import type { DocumentSource, QuestionScope } from "../../api/documents.ts";
import { Failure, Skeleton } from "../../ui/states.tsx";
import { Answer, WrittenAnswer } from "./answer.tsx";
import { type OpenPage, openPageOf } from "./open-page.ts";
import { isRunning, type Turn, useConversation } from "./use-conversation.ts";

interface QuestionFormProps {
  scope: QuestionScope;
  /** The scope in words. */
  scopeText: string;
  openPage: OpenPage | undefined;
  /** An answer arrived; the best source of a confident answer opens beside it. */
  onAnswer: (page: OpenPage | undefined) => void;
  onOpen: (page: OpenPage) => void;
}

/** Asks questions and shows the conversation, newest first. A follow-up is understood from what was asked before. */
export function QuestionForm({ scope, scopeText, openPage, onAnswer, onOpen }: QuestionFormProps) {
  const [question, setQuestion] = useState("");
  const input = useRef<HTMLInputElement>(null);
  const { turns, ask, startOver } = useConversation(({ confidence, sources: [best] }) => {
    onAnswer(confidence === "high" && best ? openPageOf(best) : undefined);
    // The next question replaces the text.
    input.current?.select();
  });
  const isEmpty = question.trim() === "";
  const [newest, ...earlier] = turns;
  const isAsking = newest !== undefined && isRunning(newest);
  function submit(event: FormEvent): void {
    event.preventDefault();
    if (!isEmpty && !isAsking) void ask(question, scope);
  }
  const open = (source: DocumentSource): void => onOpen(openPageOf(source));
  return (
    <>
      <form className="question" onSubmit={submit}>
        <input
          ref={input}
          className="in"
          aria-label="Your question"
          placeholder={newest === undefined ? "Ask a question" : "Ask a follow-up"}
          value={question}
          onChange={(event) => setQuestion(event.target.value)}
        />
        <button type="submit" className="btn go" disabled={isAsking || isEmpty}>
          {isAsking ? "Searching …" : "Ask"}
        </button>
      </form>
      <div className="row wrap">
        <p className="small muted grow">{scopeText}</p>
        {newest !== undefined && (
          <button
            type="button"
            className="btn tiny"
            onClick={() => {
              startOver();
              setQuestion("");
              input.current?.focus();
            }}
          >
            <MessageSquarePlus size={13} /> New conversation
          </button>
        )}
      </div>
      {newest !== undefined && (
        <section className="conversation" aria-label="Conversation">
          <div className="turn" role="status" aria-label="Answer" aria-atomic="false" aria-busy={isAsking}>
            <TurnContent turn={newest} openPage={openPage} onOpen={open} />
          </div>
          {earlier.map((turn) => (
            <div key={turn.id} className="turn earlier">
              <TurnContent turn={turn} openPage={openPage} onOpen={open} />
            </div>
          ))}
        </section>
      )}
    </>
  );
}

interface TurnContentProps {
  turn: Turn;
  openPage: OpenPage | undefined;
  onOpen: (source: DocumentSource) => void;
}

function TurnContent({ turn, openPage, onOpen }: TurnContentProps) {
  const { question, text, sources, answer, error } = turn;
  const isFollowUp = answer !== undefined && answer.resolved_query !== question;
  return (
    <>
      <h3 className="asked">{question}</h3>
      {isFollowUp && <p className="small muted">Answered as “{answer.resolved_query}”</p>}
      {answer !== undefined ? (
        <Answer answer={answer} open={openPage} onOpen={onOpen} />
      ) : error !== undefined ? (
        <Failure error={error} />
      ) : text === "" ? (
        <Skeleton rows={3} height={24} />
      ) : (
        <WrittenAnswer text={text} sources={sources} onOpen={onOpen} />
      )}
    </>
  );
}
