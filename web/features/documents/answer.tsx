import type { ReactNode } from "react";
import { citedNumbers, splitCitations } from "../../../contract/citations.ts";
import type { DocumentAnswer, DocumentSource } from "../../api/documents.ts";
import { FormattedText } from "../../ui/formatted-text.tsx";
import { Empty } from "../../ui/states.tsx";
import { type OpenPage, placeOf } from "./open-page.ts";

interface AnswerProps {
  answer: DocumentAnswer;
  open: OpenPage | undefined;
  onOpen: (source: DocumentSource) => void;
}

export function Answer({ answer, open, onOpen }: AnswerProps) {
  const cited = citedNumbers(answer.answer);
  const isQuoted = answer.answered_by === "extractive";
  return (
    <div className="stack" data-confidence={answer.confidence}>
      <Statement answer={answer} onOpen={onOpen} />
      {answer.sources.length > 0 && (
        <ol
          className="card sources"
          aria-label={answer.confidence === "low" ? "Closest passages" : "Sources"}
        >
          {answer.sources.map(
            (source, index) =>
              (isQuoted || cited.has(index + 1)) && (
                <li key={`${source.chunk_id}:${source.start}:${source.page}`}>
                  <button
                    type="button"
                    className="source"
                    aria-pressed={open?.boxes === source.boxes}
                    onClick={() => onOpen(source)}
                  >
                    <span className="mono small">{index + 1}</span>
                    <span className="source-title">
                      <b>{source.title}</b> <span className="muted">· {placeOf(source)}</span>
                    </span>
                    <span className="relevance">
                      <span className="meter">
                        <i style={{ width: `${source.relevance * 100}%` }} />
                      </span>
                      <span className="xs muted">{source.relevance.toFixed(2)}</span>
                    </span>
                    <span className="quote">
                      “<Highlighted text={source.quote} ranges={source.highlights} />”
                    </span>
                  </button>
                </li>
              ),
          )}
        </ol>
      )}
      {answer.sources.length > 0 && (
        <p className="small muted">
          {isQuoted
            ? "Quoted word for word from the cited pages."
            : `Written by ${answer.answered_by} from the cited pages.`}
        </p>
      )}
    </div>
  );
}

interface CitedTextProps {
  text: string;
  sources: readonly DocumentSource[];
  onOpen: (source: DocumentSource) => void;
}

/** An answer that is still being written. */
export function WrittenAnswer(props: CitedTextProps) {
  return (
    <div className="answer">
      <CitedText {...props} />
    </div>
  );
}

/** The answer itself. With low confidence the quotes are only in the list of the closest passages. */
function Statement({ answer, onOpen }: Pick<AnswerProps, "answer" | "onOpen">) {
  if (answer.confidence === "low")
    return <div className="notice wait">No passage clearly answers this. Closest:</div>;
  if (answer.confidence === "none")
    return (
      <Empty title="No answer found">{answer.answer} Ask in other words, or search other documents.</Empty>
    );
  return (
    <div className="answer">
      {answer.answered_by === "extractive" ? (
        <Highlighted text={answer.answer} ranges={answer.sources.flatMap(rangesIn(answer.answer))} />
      ) : (
        <CitedText text={answer.answer} sources={answer.sources} onOpen={onOpen} />
      )}
    </div>
  );
}

type Range = DocumentSource["highlights"][number];

/** The highlights of a source in the text of an answer that quotes it. */
function rangesIn(answer: string): (source: DocumentSource) => Range[] {
  return ({ quote, highlights }) => {
    const start = answer.indexOf(`“${quote}”`) + 1;
    return start === 0
      ? []
      : highlights.map((range) => ({ start: start + range.start, end: start + range.end }));
  };
}

/** Ranges may come in any order and twice, when two sources have the same quote. */
function Highlighted({ text, ranges }: { text: string; ranges: readonly Range[] }) {
  const parts: ReactNode[] = [];
  let end = 0;
  for (const range of ranges.toSorted((a, b) => a.start - b.start)) {
    if (range.start < end) continue;
    parts.push(text.slice(end, range.start), <b key={range.start}>{text.slice(range.start, range.end)}</b>);
    end = range.end;
  }
  return <>{[...parts, text.slice(end)]}</>;
}

function CitedText({ text, sources, onOpen }: CitedTextProps) {
  return <FormattedText text={text} renderText={(part) => withCitations(part, sources, onOpen)} />;
}

/** `[2]` becomes a button that opens the second source, `[1, 3]` two; everything else stays plain text. */
function withCitations(
  text: string,
  sources: readonly DocumentSource[],
  onOpen: (source: DocumentSource) => void,
): ReactNode[] {
  return splitCitations(text).flatMap((part, index): ReactNode[] => {
    if (typeof part === "string") return [part];
    return part.map((number) => {
      const source = sources[number - 1];
      if (source === undefined) return null;
      return (
        <button
          key={`${index}:${number}`}
          type="button"
          className="cite"
          aria-label={`Source ${number}: ${source.title}, ${placeOf(source)}`}
          onClick={() => onOpen(source)}
        >
          {number}
        </button>
      );
    });
  });
}
