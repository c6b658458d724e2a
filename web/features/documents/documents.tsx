import { Link2, Upload } from "lucide-react";
import { type Ref, Suspense, useEffect, useRef, useState } from "react";
import { useSearchParams } from "wouter";
import { type CollectionView, useCollections } from "../../api/collections.ts";
import { type DocumentView, type QuestionScope, useDocuments } from "../../api/documents.ts";
import { DropArea } from "../../ui/drop-area.tsx";
import { TextField } from "../../ui/field.tsx";
import { lazyComponent } from "../../ui/lazy-component.ts";
import { Screen } from "../../ui/screen.tsx";
import { Segments } from "../../ui/segments.tsx";
import { useFilter } from "../../ui/use-filter.ts";
import { splitCommas } from "../../ui/split-commas.ts";
import { Empty, Loaded } from "../../ui/states.tsx";
import { DocumentTable } from "./document-table.tsx";
import "./documents.css";
import { DocumentViewer } from "./document-viewer.tsx";
import { type OpenPage, placeOf } from "./open-page.ts";
import { QuestionForm } from "./question-form.tsx";
import { TextDestinations } from "./text-destinations.tsx";
import { UploadList, useUploads } from "./uploads.tsx";
import { Allowed } from "../../ui/allowed.tsx";
import { useMay } from "../../api/permissions.ts";

const UrlDialog = lazyComponent(() => import("./url-dialog.tsx"), "UrlDialog");

/** Questions and documents on the left, the cited page on the right. */
export function Documents() {
  const documents = useDocuments();
  const collections = useCollections().data ?? [];
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [collectionId, setCollectionId] = useFilter("collection");
  const collection = collections.find(({ collection_id }) => collection_id === collectionId);
  const { openPage, tab, setTab, preview, open, close } = useOpenPage();
  useLinkedDocument(documents.data, open);
  const may = useMay();
  const [tags, setTags] = useState("");
  const [isAddingUrl, setAddingUrl] = useState(false);
  const picker = useRef<HTMLInputElement>(null);
  const pickFiles = (): void => picker.current?.click();
  const { uploads, upload } = useUploads();
  const uploadFiles = (files: readonly File[]): void => {
    const target = collection?.access === "owner" ? collectionId : undefined;
    if (may("uploadDocument")) upload(files, { tags: splitCommas(tags), collectionId: target });
  };
  function openCollection(id: string): void {
    setCollectionId(id);
    setSelected(new Set());
  }
  return (
    <Screen
      title="Documents"
      titleInfo={<span className="muted small wide-only">{summaryOf(documents.data ?? [])}</span>}
      actions={
        <AddDocuments
          picker={picker}
          onPickFiles={pickFiles}
          onFiles={uploadFiles}
          onAddUrl={() => setAddingUrl(true)}
        />
      }
    >
      {openPage !== undefined && <SideTabs tab={tab} onTab={setTab} openPage={openPage} />}
      <div className={`docs${openPage === undefined ? "" : ` with-page show-${tab}`}`}>
        <DropArea className="ask drop-area" label="Ask" onFiles={uploadFiles}>
          <UploadList uploads={uploads} />
          <Loaded query={documents}>
            {(all) =>
              all.length === 0 && collections.length === 0 ? (
                <>
                  <NoDocuments onPickFiles={pickFiles} />
                  <TextDestinations />
                </>
              ) : (
                <>
                  <QuestionForm
                    scope={scopeOf(selected, collection)}
                    scopeText={scopeText(selected, collection)}
                    openPage={openPage}
                    onAnswer={preview}
                    onOpen={open}
                  />
                  <UploadTags value={tags} onChange={setTags} />
                  <TextDestinations />
                  <DocumentTable
                    collections={collections}
                    collection={collection}
                    onOpenCollection={openCollection}
                    selected={selected}
                    onSelect={setSelected}
                    onOpen={(document) => open(firstPage(document))}
                    onDeleted={(id) => openPage?.documentId === id && close()}
                  />
                </>
              )
            }
          </Loaded>
        </DropArea>
        {openPage !== undefined && (
          <DocumentViewer key={openPage.documentId} open={openPage} onClose={close} />
        )}
      </div>
      {isAddingUrl && (
        <Suspense>
          <UrlDialog tags={splitCommas(tags)} onClose={() => setAddingUrl(false)} />
        </Suspense>
      )}
    </Screen>
  );
}

interface AddDocumentsProps {
  picker: Ref<HTMLInputElement>;
  onPickFiles: () => void;
  onFiles: (files: readonly File[]) => void;
  onAddUrl: () => void;
}

function AddDocuments({ picker, onPickFiles, onFiles, onAddUrl }: AddDocumentsProps) {
  return (
    <Allowed to="uploadDocument">
      <input
        ref={picker}
        type="file"
        accept={ACCEPTED}
        multiple
        className="visually-hidden"
        tabIndex={-1}
        aria-label="Document files"
        onChange={(event) => onFiles([...(event.target.files ?? [])])}
      />
      <button type="button" className="btn" onClick={onAddUrl}>
        <Link2 size={14} /> Add from URL
      </button>
      <button type="button" className="btn go" onClick={onPickFiles}>
        <Upload size={14} /> Upload
      </button>
    </Allowed>
  );
}

function UploadTags({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  return (
    <Allowed to="uploadDocument">
      <TextField
        label="Tags for new uploads"
        value={value}
        onChange={onChange}
        placeholder="contracts, 2026"
        hint="Optional, comma-separated"
      />
    </Allowed>
  );
}

type Side = "answer" | "page";

interface SideTabsProps {
  tab: Side;
  onTab: (tab: Side) => void;
  openPage: OpenPage;
}

function SideTabs({ tab, onTab, openPage }: SideTabsProps) {
  return (
    <div className="docs-tabs">
      <Segments
        label="Show"
        value={tab}
        onChange={onTab}
        options={[
          { value: "answer", label: "Answer" },
          { value: "page", label: upperFirst(placeOf(openPage)) },
        ]}
      />
    </div>
  );
}

/** The page on the right. A narrow window has room for one side only, the one of `tab`. */
function useOpenPage() {
  const [openPage, setPage] = useState<OpenPage>();
  const [tab, setTab] = useState<Side>("answer");
  return {
    openPage,
    tab,
    setTab,
    /** Shows a page without leaving the answer. */
    preview: setPage,
    open(page: OpenPage): void {
      setPage(page);
      setTab("page");
    },
    close(): void {
      setPage(undefined);
      setTab("answer");
    },
  };
}

function firstPage({ document_id, title }: DocumentView): OpenPage {
  return { documentId: document_id, title, page: 1, boxes: [] };
}

/** For the file dialog only: the service recognizes a file by its content. */
const ACCEPTED = ".pdf,.docx,.pptx,.xlsx,.epub,.html,.htm,.md,.txt,.eml,.csv";

function upperFirst(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Opens the document that the URL names. */
function useLinkedDocument(
  documents: readonly DocumentView[] | undefined,
  open: (page: OpenPage) => void,
): void {
  const [search, setSearch] = useSearchParams();
  const linked = search.get("open");
  const document = documents?.find(({ document_id }) => document_id === linked);
  useEffect(() => {
    if (document === undefined) return;
    open(firstPage(document));
    setSearch({}, { replace: true });
  }, [document?.document_id]);
}

function NoDocuments({ onPickFiles }: { onPickFiles: () => void }) {
  return (
    <Empty
      title="Ask questions about your documents"
      action={
        <Allowed to="uploadDocument">
          <button type="button" className="btn go" onClick={onPickFiles}>
            Choose a file
          </button>
        </Allowed>
      }
    >
      Drop a PDF, Office file, web page, email or text here. Every answer cites the page, slide or section it
      comes from.
    </Empty>
  );
}

/** Selected documents, else the open collection, else everything. */
function scopeOf(selected: ReadonlySet<string>, collection: CollectionView | undefined): QuestionScope {
  if (selected.size > 0) return { document_ids: [...selected] };
  return collection === undefined ? {} : { collection_ids: [collection.collection_id] };
}

function scopeText(selected: ReadonlySet<string>, collection: CollectionView | undefined): string {
  if (selected.size > 0) return `Searches ${count(selected.size, "selected document")}.`;
  if (collection !== undefined) return `Searches the collection “${collection.name}”.`;
  return "Searches all documents. Select documents below to search only those.";
}

function summaryOf(list: readonly DocumentView[]): string {
  if (list.length === 0) return "";
  const pages = list.reduce((sum, document) => sum + document.pages, 0);
  return `${count(list.length, "document")} · ${count(pages, "page")}`;
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}
