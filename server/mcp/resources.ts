import type { DocumentView } from "../../contract/documents.ts";
import type { Documents } from "../documents/documents.ts";
import { AppError } from "../lib/errors.ts";
import type { Call, Handler } from "./call.ts";
import { cursorOf } from "./paging.ts";
import { requireText, RPC, RpcFailure } from "./protocol.ts";

export interface ResourceMethodsDeps {
  documents: Pick<Documents, "list" | "get" | "page">;
  /** True when the owner has switched their documents on for MCP clients. */
  areExposed(ownerId: string): Promise<boolean>;
}

const PREFIX = "baton://documents/";
export const PAGE_TEMPLATE = `${PREFIX}{documentId}/pages/{page}`;
const DOCUMENT_URI = /^baton:\/\/documents\/([\w-]+)(?:\/pages\/(\d{1,6}))?$/;
const PAGE_SIZE = 50;
/** A whole document is read up to this length; its other pages are read one by one. */
const MAX_CHARACTERS = 200_000;
const MAX_PAGES = 100;

/** The owner's documents as text, whole or by page. */
export function resourceMethods({ documents, areExposed }: ResourceMethodsDeps): Record<string, Handler> {
  async function readPages({ ownerId }: Call["caller"], documentId: string, only: number | undefined) {
    if (only !== undefined) return [toContents(documentId, await documents.page(ownerId, documentId, only))];
    const { pages, status } = await documents.get(ownerId, documentId);
    if (status !== "indexed")
      throw new AppError("document_not_found", "The document is not ready: it is being processed or failed.");
    const contents = [];
    let characters = 0;
    for (let number = 1; number <= Math.min(pages, MAX_PAGES) && characters < MAX_CHARACTERS; number++) {
      const page = await documents.page(ownerId, documentId, number);
      contents.push(toContents(documentId, page));
      characters += page.text.length;
    }
    return contents;
  }

  return {
    async "resources/list"({ caller, params }) {
      if (!(await areExposed(caller.ownerId))) return { resources: [] };
      const cursor = cursorOf(params);
      const { items, nextCursor } = await documents.list(caller.ownerId, {
        limit: PAGE_SIZE,
        ...(cursor !== undefined && { cursor }),
      });
      return { resources: items.map(toResource), ...(nextCursor !== null && { nextCursor }) };
    },

    "resources/templates/list": async ({ caller }) => ({
      resourceTemplates: (await areExposed(caller.ownerId))
        ? [
            {
              uriTemplate: PAGE_TEMPLATE,
              name: "document-page",
              title: "Page of a document",
              description: "The text of one page, slide or sheet, counted from 1.",
              mimeType: "text/plain",
            },
          ]
        : [],
    }),

    async "resources/read"(call) {
      const uri = requireText(call.params, "uri");
      const [, documentId, page] = DOCUMENT_URI.exec(uri) ?? [];
      if (documentId === undefined || !(await areExposed(call.caller.ownerId))) throw unknown(call, uri);
      try {
        const contents = await readPages(
          call.caller,
          documentId,
          page === undefined ? undefined : Number(page),
        );
        return { contents };
      } catch (error) {
        // The same answer for an unknown document and for another user's.
        if (error instanceof AppError) throw unknown(call, uri);
        throw error;
      }
    },
  };
}

function toResource({ document_id: id, title, pages, media_type: type }: DocumentView) {
  return {
    uri: `${PREFIX}${id}`,
    name: title,
    title,
    description: `${pages} ${pages === 1 ? "page" : "pages"} of text, from ${type}.`,
    mimeType: "text/plain",
  };
}

function toContents(documentId: string, { page, text }: { page: number; text: string }) {
  return { uri: `${PREFIX}${documentId}/pages/${page}`, mimeType: "text/plain", text };
}

function unknown({ client }: Call, uri: string): RpcFailure {
  return new RpcFailure(client.isModern ? RPC.invalidParams : RPC.resourceNotFound, "Resource not found", {
    data: { uri },
  });
}
