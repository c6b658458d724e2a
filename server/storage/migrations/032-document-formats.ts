import type { Migration } from "../migrate.ts";

/** Documents of other formats than PDF: a page without a printed number has a location in words. */
export const documentFormats: Migration = {
  version: 32,
  name: "document formats",
  statements: [
    "alter table document add column media_type text not null default 'application/pdf'",
    "alter table document_page add column location text",
  ],
};
