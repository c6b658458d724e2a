import { Upload } from "lucide-react";
import { Suspense, useRef, useState } from "react";
import { type DocumentView, useDocuments } from "../../api/documents.ts";
import { DropArea } from "../../ui/drop-area.tsx";
import { TextField } from "../../ui/field.tsx";
import { lazyComponent } from "../../ui/lazy-component.ts";
import { Screen } from "../../ui/screen.tsx";
import { splitCommas } from "../../ui/split-commas.ts";
import { Empty, Loaded } from "../../ui/states.tsx";
import { DocumentTable } from "./document-table.tsx";
import "./documents.css";
import type { OpenPage } from "./pdf-viewer.tsx";
import { QuestionForm } from "./question-form.tsx";
import { UploadList, useUploads } from "./uploads.tsx";

const PdfViewer = lazyComponent(() => import("./pdf-viewer.tsx"), "PdfViewer");

/** Questions and documents on the left, the cited page on the right. */
export function Documents() {
  const documents = useDocuments();
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [openPage, setOpenPage] = useState<OpenPage>();
  const [tags, setTags] = useState("");
  const picker = useRef<HTMLInputElement>(null);
  const { uploads, upload } = useUploads();
  const uploadFiles = (files: readonly File[]): void => upload(files, splitCommas(tags));
  const pickFiles = (): void => picker.current?.click();
  return (
    <Screen
      title="Documents"
      titleInfo={<span className="muted small wide-only">{summaryOf(documents.data ?? [])}</span>}
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
            onChange={(event) => uploadFiles([...(event.target.files ?? [])])}
          />
          <button type="button" className="btn go" onClick={pickFiles}>
            <Upload size={14} /> Upload PDF
          </button>
        </>
      }
    >
      <div className={`docs${openPage === undefined ? "" : " with-page"}`}>
        <DropArea className="ask drop-area" label="Ask" onFiles={uploadFiles}>
          <UploadList uploads={uploads} />
          <Loaded query={documents}>
            {(all) =>
              all.length === 0 ? (
                <NoDocuments onPickFiles={pickFiles} />
              ) : (
                <>
                  <QuestionForm selected={selected} openPage={openPage} onOpen={setOpenPage} />
                  <TextField
                    label="Tags for new uploads"
                    value={tags}
                    onChange={setTags}
                    placeholder="contracts, 2026"
                    hint="Optional, comma-separated"
                  />
                  <DocumentTable
                    selected={selected}
                    onSelect={setSelected}
                    onOpen={({ document_id, title }) =>
                      setOpenPage({ documentId: document_id, title, page: 1, boxes: [] })
                    }
                    onDeleted={(id) => openPage?.documentId === id && setOpenPage(undefined)}
                  />
                </>
              )
            }
          </Loaded>
        </DropArea>
        {openPage !== undefined && (
          <Suspense fallback={<aside className="pdf" aria-busy="true" />}>
            <PdfViewer key={openPage.documentId} open={openPage} onClose={() => setOpenPage(undefined)} />
          </Suspense>
        )}
      </div>
    </Screen>
  );
}

function NoDocuments({ onPickFiles }: { onPickFiles: () => void }) {
  return (
    <Empty
      title="Ask questions about your documents"
      action={
        <button type="button" className="btn go" onClick={onPickFiles}>
          Choose a PDF
        </button>
      }
    >
      Drop a PDF here. It is read and indexed on this machine. Every answer cites the page it comes from.
    </Empty>
  );
}

function summaryOf(list: readonly DocumentView[]): string {
  if (list.length === 0) return "Stored on this machine";
  const pages = list.reduce((sum, document) => sum + document.pages, 0);
  return `${count(list.length, "document")} · ${count(pages, "page")} · stored on this machine`;
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}
