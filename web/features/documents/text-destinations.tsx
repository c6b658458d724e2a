import { useTextDestinations } from "../../api/documents.ts";

/** Tells people where the text of their documents goes before they upload one. */
export function TextDestinations() {
  const { data } = useTextDestinations();
  if (data === undefined) return null;
  const { files, embedding, answers, answer_model: hasModel } = data;
  return (
    <details className="small muted">
      <summary>{isLocal(data) ? "Everything stays on this machine" : "Where your text goes"}</summary>
      <ul>
        <li>Files are stored {files.length === 0 ? "on this machine" : `at ${files.join(", ")}`}.</li>
        <li>
          {embedding.length === 0
            ? "The search index is computed on this machine."
            : `The text of every document and question is sent to ${embedding.join(", ")} for the search index.`}
        </li>
        <li>
          {!hasModel
            ? "Answers are quotes from your documents; no language model is configured."
            : answers.length === 0
              ? "Answers are written by a language model on this machine."
              : `Your question and the passages found are sent to ${answers.join(", ")}, which writes the answer.`}
        </li>
      </ul>
    </details>
  );
}

function isLocal({
  files,
  embedding,
  answers,
}: Record<"files" | "embedding" | "answers", string[]>): boolean {
  return [...files, ...embedding, ...answers].length === 0;
}
