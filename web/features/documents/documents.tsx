import { useMutation } from "@tanstack/react-query";
import { Upload } from "lucide-react";
import { type FormEvent, Suspense, useRef, useState } from "react";
import { type DocumentSource, queryDocuments, useDocuments } from "../../api/documents.ts";
import { DropArea } from "../../ui/drop-area.tsx";
import { TextField } from "../../ui/field.tsx";
import { loadPart } from "../../ui/load-part.ts";
import { Screen } from "../../ui/screen.tsx";
import { Empty, Failure, Loaded, Skeleton } from "../../ui/states.tsx";
import { wordsOf } from "../../ui/words.ts";
import { Answer } from "./answer.tsx";
import { DocumentTable } from "./document-table.tsx";
import "./documents.css";
import { UploadList, useUploads } from "./uploads.tsx";

const PageView = loadPart(() => import("./page-view.tsx"), "PageView");

export interface OpenPage {
  documentId: string;
  title: string;
  page: number;
  boxes: DocumentSource["boxes"];
}

/** Ask on the left, read the page on the right: every answer shows where it stands. */
export function Documents() {
  const documents = useDocuments();
  const [question, setQuestion] = useState("");
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [open, setOpen] = useState<OpenPage>();
  const picker = useRef<HTMLInputElement>(null);
  const { uploads, take: upload } = useUploads();
  const [tags, setTags] = useState("");
  const take = (files: readonly File[]): void => upload(files, wordsOf(tags));
  const ask = useMutation({
    mutationFn: (query: string) => queryDocuments(query, [...chosen]),
    onSuccess: ({ sources }) => setOpen(sources[0] && pageOf(sources[0])),
  });
  const list = documents.data ?? [];

  function submit(event: FormEvent): void {
    event.preventDefault();
    if (question.trim() !== "") ask.mutate(question);
  }
  return (
    <Screen
      title="Documents"
      beside={
        <span className="muted small wide-only">
          {list.length === 0
            ? "stays on this machine"
            : `${count(list.length, "document")} · ${count(
                list.reduce((sum, { pages }) => sum + pages, 0),
                "page",
              )} · stays on this machine`}
        </span>
      }
      actions={
        <>
          <input
            ref={picker}
            type="file"
            accept="application/pdf"
            multiple
            className="visually-hidden"
            tabIndex={-1}
            aria-label="PDF files"
            onChange={(event) => take([...(event.target.files ?? [])])}
          />
          <button type="button" className="btn go" onClick={() => picker.current?.click()}>
            <Upload size={14} /> Upload PDF
          </button>
        </>
      }
    >
      <div className={`docs${open === undefined ? "" : " with-page"}`}>
        <DropArea className="ask drop-area" label="Ask" onFiles={take}>
          <UploadList uploads={uploads} />
          <Loaded query={documents}>
            {(all) =>
              all.length === 0 ? (
                <Empty
                  title="Ask your own documents"
                  action={
                    <button type="button" className="btn go" onClick={() => picker.current?.click()}>
                      Choose a PDF
                    </button>
                  }
                >
                  Drop a PDF here. It is read and indexed on this machine; then ask in plain words, and every
                  answer shows its page.
                </Empty>
              ) : (
                <>
                  <form className="question" onSubmit={submit}>
                    <input
                      className="in"
                      aria-label="Your question"
                      placeholder="Ask in plain words"
                      value={question}
                      onChange={(event) => setQuestion(event.target.value)}
                    />
                    <button
                      type="submit"
                      className="btn go"
                      disabled={ask.isPending || question.trim() === ""}
                    >
                      {ask.isPending ? "Reading …" : "Ask"}
                    </button>
                  </form>
                  <p className="small muted">
                    {chosen.size === 0
                      ? "In all documents; choose some below to ask only those."
                      : `In ${chosen.size} chosen ${chosen.size === 1 ? "document" : "documents"}.`}
                  </p>
                  {ask.isPending && <Skeleton rows={3} height={24} />}
                  {ask.error !== null && <Failure error={ask.error} />}
                  {ask.data !== undefined && !ask.isPending && (
                    <Answer answer={ask.data} open={open} onOpen={(source) => setOpen(pageOf(source))} />
                  )}
                  <TextField
                    label="Tags for what you upload next"
                    value={tags}
                    onChange={setTags}
                    placeholder="contracts, 2026"
                    hint="Words with commas between; may stay empty."
                  />
                  <DocumentTable
                    chosen={chosen}
                    onChoose={setChosen}
                    onOpen={({ document_id, title }) =>
                      setOpen({ documentId: document_id, title, page: 1, boxes: [] })
                    }
                    onGone={(id) => open?.documentId === id && setOpen(undefined)}
                  />
                </>
              )
            }
          </Loaded>
        </DropArea>
        {open !== undefined && (
          <Suspense fallback={<aside className="pdf" aria-busy="true" />}>
            <PageView key={open.documentId} open={open} onClose={() => setOpen(undefined)} />
          </Suspense>
        )}
      </div>
    </Screen>
  );
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

function pageOf({ document_id, title, page, boxes }: DocumentSource): OpenPage {
  return { documentId: document_id, title, page, boxes };
}
