import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { type DocumentSource, queryDocuments } from "../../api/documents.ts";
import { Failure, Skeleton } from "../../ui/states.tsx";
import { Answer } from "./answer.tsx";
import type { OpenPage } from "./pdf-viewer.tsx";

interface QuestionFormProps {
  /** Ids of the documents to search; all when empty. */
  selected: ReadonlySet<string>;
  openPage: OpenPage | undefined;
  /** An answer arrived; the best source of a confident answer opens beside it. */
  onAnswer: (page: OpenPage | undefined) => void;
  onOpen: (page: OpenPage) => void;
}

/** Asks a question, shows the answer and opens the best source. */
export function QuestionForm({ selected, openPage, onAnswer, onOpen }: QuestionFormProps) {
  const [question, setQuestion] = useState("");
  const query = useMutation({
    mutationFn: (text: string) => queryDocuments(text, [...selected]),
    onSuccess: ({ confidence, sources: [best] }) =>
      onAnswer(confidence === "high" && best ? pageOf(best) : undefined),
  });
  const isEmpty = question.trim() === "";
  function submit(event: FormEvent): void {
    event.preventDefault();
    if (!isEmpty) query.mutate(question);
  }
  return (
    <>
      <form className="question" onSubmit={submit}>
        <input
          className="in"
          aria-label="Your question"
          placeholder="Ask a question"
          value={question}
          onChange={(event) => setQuestion(event.target.value)}
        />
        <button type="submit" className="btn go" disabled={query.isPending || isEmpty}>
          {query.isPending ? "Searching …" : "Ask"}
        </button>
      </form>
      <p className="small muted">
        {selected.size === 0
          ? "Searches all documents. Select documents below to search only those."
          : `Searches ${selected.size} selected ${selected.size === 1 ? "document" : "documents"}.`}
      </p>
      {query.isPending && <Skeleton rows={3} height={24} />}
      {query.error !== null && <Failure error={query.error} />}
      {query.data !== undefined && !query.isPending && (
        <Answer answer={query.data} open={openPage} onOpen={(source) => onOpen(pageOf(source))} />
      )}
    </>
  );
}

function pageOf({ document_id, title, page, boxes }: DocumentSource): OpenPage {
  return { documentId: document_id, title, page, boxes };
}
