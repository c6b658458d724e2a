import type { Section } from "./section.ts";

export const documents: Section = {
  title: "Documents",
  promises: [
    {
      id: "17.1",
      text: '`POST /api/v1/documents/upload` → 201 `{ok, document_id, chunks_created, status: "indexed"}`.',
      proofs: [
        "test/documents/documents.test.ts › a synchronous upload responds when the document is indexed",
      ],
    },
    {
      id: "17.2",
      text: "A missing file is 400 `file_required`, a file in no supported format 415 `unsupported_media_type`, unreadable 422 `unreadable_document`, no text 422 `no_text`, bad metadata 400.",
      proofs: [
        "test/documents/bad-uploads.test.ts › an upload without a file is 400 file_required, however the file is missing",
        "test/documents/bad-uploads.test.ts › bytes of no supported format are 415 and the formats are named, whatever the file is called",
        "test/documents/bad-uploads.test.ts › [S27] a PDF that %s is 422 and leaves nothing behind",
        "test/documents/bad-uploads.test.ts › [S27] %s is 422 and leaves nothing behind",
        "test/documents/bad-uploads.test.ts › metadata that is not JSON, not an object, or of the wrong type is 400, before or after the file",
      ],
    },
    {
      id: "17.3",
      text: "The same bytes are the same document; a document is indexed completely or not at all.",
      proofs: [
        "test/documents/ingestion.test.ts › [R21] the same bytes again are the same document, one after the other and at the same time",
        "test/documents/crash.test.ts › [R21] a kill -9 in the middle of an upload leaves the whole document after the next start, or nothing",
      ],
    },
    {
      id: "17.4",
      text: "`?async=true` → 202 `processing`.",
      proofs: [
        "test/documents/ingestion.test.ts › ?async=true responds at once, GET shows the progress, and no query finds the document before it is indexed",
      ],
    },
    {
      id: "17.5",
      text: "`GET /api/v1/documents` by tag, `GET /api/v1/documents/{id}`, `DELETE /api/v1/documents/{id}`, `GET /api/v1/documents/{id}/file`, `GET /api/v1/documents/{id}/chunks/{chunkId}`.",
      proofs: [
        "test/documents/questions.test.ts › the list shows the caller's documents, newest first, by tag and by page",
        "test/documents/documents.test.ts › the record describes the upload",
        "test/documents/documents.test.ts › a deleted document leaves nothing in any table, index or file",
        "test/documents/documents.test.ts › [S25] the file is returned unchanged, as a download that never runs",
        "test/ownership.test.ts › [S13] [S15] another user's record is 403 for every verb of every route, an unknown one 404, and nothing changes",
      ],
    },
    {
      id: "17.6",
      text: "`POST /api/v1/documents/query` → answer and sources with page, relevance 0–1 best first, title and verbatim quote; `top_k` 1–50, default 5.",
      proofs: [
        "test/documents/documents.test.ts › a question is answered with a verbatim quote, its page and its position",
        "test/documents/questions.test.ts › sources are sorted best first, at most top_k",
        "test/documents/questions.test.ts › an invalid question is 400 and names the field",
      ],
    },
    {
      id: "17.7",
      text: "Without ids, all documents of the caller are searched; an unknown id, or one of another user, is 404 `document_not_found`.",
      proofs: [
        "test/documents/questions.test.ts › a query searches all documents of the caller, the given ids, or the documents with one of the tags",
        "test/documents/questions.test.ts › [S14] another user's id is 404 like an unknown one, alone or among own ones",
      ],
    },
    {
      id: "17.8",
      text: "If nothing is relevant, the answer says so and has no sources; synonyms and questions about a whole document are relevant.",
      proofs: [
        "test/documents/documents.test.ts › an off-topic question gets an answer that says so and no sources",
        "server/documents/answer/answer.test.ts › with a relevance of %d among %d passages the confidence is %s",
        "server/documents/answer/answer.test.ts › %s is answered with the beginnings of the documents",
      ],
    },
    {
      id: "17.12",
      text: "`confidence` is `high`, `low` or `none`; a low one shows the closest passages as such, and a model decides it.",
      proofs: [
        "server/documents/answer/answer.test.ts › with low confidence the answer names the closest passages as such",
        "server/documents/answer/answer.test.ts › a model that answers %j decides a low confidence: %s",
        "test/browser/documents.test.ts › an answer, closest passages and no answer look different, %s at %d",
      ],
    },
    {
      id: "17.15",
      text: "A quote can be read alone: no bare heading, and lists with their introduction. `highlights` are the likely answer.",
      proofs: [
        "server/documents/answer/quote-candidates.test.ts › a heading is no quote, and is the context of the sentences below it",
        "server/documents/answer/quote-candidates.test.ts › the introduction of a list is quoted with its items, and an item with the introduction",
        "server/documents/answer/answer.test.ts › a question for a number gets the sentence with one, and its highlight",
      ],
    },
    {
      id: "17.9",
      text: "Documents belong to their uploader.",
      proofs: [
        "test/ownership.test.ts › [S13] [S15] another user's record is 403 for every verb of every route, an unknown one 404, and nothing changes",
      ],
    },
    {
      id: "17.10",
      text: "`POST /api/v1/documents/reindex` embeds documents again after a change of the model (409 `embedding_model_mismatch` until then); `embedding_failed` and `embedding_not_configured` are 503; a document deleted during ingestion is 409 `document_deleted`.",
      proofs: [
        "test/documents/ingestion.test.ts › [R22] after a change of the model a query is 409, vectors are never mixed, and a reindex resolves it",
        "test/documents/bad-uploads.test.ts › an upload while the embedding service is down is 503 and leaves nothing behind",
        "server/models/embedding/local-embedding.test.ts › a model that cannot be loaded fails with its reason",
        "test/documents/ingestion.test.ts › [R21] DELETE ends a running ingestion and leaves nothing behind",
      ],
    },
    {
      id: "17.11",
      text: "`GET /api/v1/documents/destinations` names the hosts that receive the text of documents.",
      proofs: [
        "server/documents/text-destinations.test.ts › without settings, files and text stay on this machine",
        "server/documents/text-destinations.test.ts › every host that receives text is named",
      ],
    },
    {
      id: "17.30",
      text: "Collections: `POST /api/v1/collections`, `GET /api/v1/collections`, `GET /api/v1/collections/{id}`, `PATCH /api/v1/collections/{id}`, `DELETE /api/v1/collections/{id}`, `PUT /api/v1/collections/{id}/documents/{documentId}`, `DELETE /api/v1/collections/{id}/documents/{documentId}`; `collection_ids` in a query, `collection_id` in a list and an upload. Documents stay when a collection is deleted, unless asked.",
      proofs: [
        "test/documents/collections.test.ts › a collection is created, listed, renamed and deleted, and its documents stay",
        "test/documents/collections.test.ts › a collection is deleted with its documents only on request",
        "test/documents/collections.test.ts › a query by collection searches its documents and no others, together with named documents",
        "test/documents/collections.test.ts › an upload goes into the collection that its form names",
      ],
    },
    {
      id: "17.32",
      text: "`history` in a query resolves a follow-up question, with a model or by rule; a complete question is unchanged, and `resolved_query` names the question that was answered.",
      proofs: [
        "test/documents/questions.test.ts › a follow-up is resolved with the history, a complete question is not, and the response says which",
        "server/documents/dialogue/follow-up.test.ts › the complete question %s is unchanged",
        "server/documents/dialogue/resolve-question.test.ts › a model rewrites the question with the dialogue in front of it",
      ],
    },
    {
      id: "17.33",
      text: "With `Accept: text/event-stream` or `?stream=true` a query answers with the events `sources`, `text`, `finished` and `failed`; a model's sentences are sent once a cited passage supports them, and a client that leaves ends the model's call.",
      proofs: [
        "test/documents/streaming.test.ts › a streamed answer has its sources first and ends with the response %s",
        "test/documents/streaming.test.ts › a model's answer arrives by sentences, and only those that a cited passage supports",
        "test/documents/streaming.test.ts › a client that leaves ends the call of the model",
        "test/documents/streaming.test.ts › an error before the first event is a response, a later one an event",
      ],
    },
    {
      id: "17.34",
      text: "A question that compares two or more documents is answered from the best passages of each, grouped by title.",
      proofs: [
        "test/documents/questions.test.ts › a comparison gives the best passage of each document under its title",
        "test/documents/streaming.test.ts › a model that compares gets passages of each document with its title",
      ],
    },
    {
      id: "17.37",
      text: "A `document_query` step and an agent search collections that their owner may read: `collectionIds` and `tools.collections`.",
      proofs: [
        "test/documents/collections.test.ts › a document_query step searches collections that the workflow's owner may read, and no others",
        "test/documents/streaming.test.ts › an agent's chat answers from the documents of its collection",
      ],
    },
    {
      id: "17.35",
      text: "`POST /api/v1/collections/{id}/upload-key` and `DELETE /api/v1/collections/{id}/upload-key` rotate and revoke the key with which `POST /api/v1/collections/{id}/upload` accepts a file or a form; a wrong key is 403 `invalid_secret`.",
      proofs: [
        "test/documents/intake.test.ts › a file or a form sent with the upload key goes into the collection of its owner",
        "test/documents/intake.test.ts › [S13] an upload key opens nothing else, and ends when it is rotated or revoked",
        "test/documents/intake.test.ts › the limits of uploads hold for the upload address",
      ],
    },
    {
      id: "17.36",
      text: "The files of `DOCUMENTS_WATCH_FOLDER` become documents of `DOCUMENTS_WATCH_ACCOUNT` once they are completely written, each state once.",
      proofs: [
        "test/documents/intake.test.ts › files of the watched folder become documents of the mapped account and collection",
        "server/documents/collections/watch-folder.test.ts › a file is taken once it is the same in two polls, and only once",
        "server/documents/collections/watch-folder.test.ts › links, hidden, empty and too large files are left alone",
      ],
    },
    {
      id: "17.31",
      text: "A collection is its owner's; named accounts or all of the instance may read, cite and ask its documents, and everybody else gets 404 `collection_not_found`.",
      proofs: [
        "test/documents/collections.test.ts › [S13] [S14] a shared collection is readable by its readers only, and nobody but its owner changes it",
        "test/documents/collections.test.ts › a collection shared with everyone is in every user's list until it is private again",
      ],
    },
    {
      id: "17.21",
      text: "`POST /api/v1/documents/url` fetches a document through the egress guard and ingests it like an upload; what cannot be fetched is 422 `fetch_failed`.",
      proofs: [
        "test/documents/urls.test.ts › a document is fetched from a URL, through redirects, and read by its content",
        "test/documents/urls.test.ts › [S6] a URL %s is refused and leaves nothing behind",
      ],
    },
    {
      id: "17.22",
      text: "`GET /api/v1/documents/{id}/pages/{page}` returns the text of a page; one that does not exist is 404 `document_page_not_found`.",
      proofs: [
        "test/documents/formats.test.ts › the text of a page is returned with its location, and a page that does not exist is 404",
      ],
    },
    {
      id: "17.23",
      text: "The text of scanned pages is recognized in the languages of `OCR_LANGUAGES`; pictures of more than 40 megapixels are skipped, and `ocr_pages_done` shows the progress.",
      proofs: [
        "server/documents/extract/ocr/recognizer.test.ts › the text of scanned pages is recognized, turned upright, and located on the page",
        "server/documents/extract/ocr/recognizer.test.ts › only pages without text are recognized, and none when it is off",
        "test/documents/scans.test.ts › a scanned PDF is uploaded and answers a question",
        "test/documents/scans.test.ts › a document shows how many of its scanned pages are recognized",
      ],
    },
    {
      id: "17.38",
      text: "A `document_query` step that answers a chat streams its answer from the documents of the workflow, names the cited pages, and completes follow-up questions with `history`.",
      proofs: [
        "test/documents/streaming.test.ts › visitors of a chat ask the documents of its workflow: streamed, with the page, and follow-ups",
        "test/documents/streaming.test.ts › a model's answer in a chat lists the pages that it cites by number",
      ],
    },
    {
      id: "17.20",
      text: "Other formats than PDF are accepted by their content; `media_type` names the format, `page` is the page, slide or sheet, and `location` says it in words. The file is returned with its media type, as a download that never runs.",
      proofs: [
        "test/documents/formats.test.ts › %s is read by its content and cited by its place",
        "test/documents/formats.test.ts › the step document_query passes the location on",
        "server/documents/extract/read-document.test.ts › the bytes decide the format",
      ],
    },
    {
      id: "17.24",
      text: "`PATCH /api/v1/documents/{id}` replaces the tags of a document.",
      proofs: ["test/search.test.ts › a document is found by title, tags and text, and its tags can change"],
    },
  ],
};
