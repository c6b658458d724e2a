import { googleDrive } from "../../apps/google-drive.ts";
import fixture from "./fixtures/google-drive.json" with { type: "json" };
import type { AppExamples } from "./support/app-examples.ts";

const file = {
  id: "1a2b3c4d5e",
  name: "Invoice 10482.pdf",
  mimeType: "application/pdf",
  size: "55126",
  createdTime: "2026-01-12T09:30:00.000Z",
  modifiedTime: "2026-01-12T09:30:00.000Z",
  webViewLink: "https://drive.google.com/file/d/1a2b3c4d5e/view",
  parents: ["0ABcdEfGhIjkLUk9PVA"],
};
const folder = "0ABcdEfGhIjkLUk9PVA";
const pages: [object, object] = [
  { body: { nextPageToken: "~!!~AI9FV7S", files: [file] } },
  { body: { files: [{ ...file, id: "2b3c4d5e6f" }] } },
];

export const googleDriveExamples: AppExamples = {
  app: googleDrive,
  source: "https://developers.google.com/workspace/drive/api/guides/search-files",
  fixture,
  test: {
    body: { user: { displayName: "Ada", emailAddress: "ada@example.com" } },
    account: "ada@example.com",
  },
  actions: {
    upload_file: {
      input: {
        file: {
          file: `file_${"0".repeat(29)}`,
          name: "invoice.pdf",
          contentType: "application/pdf",
          size: 4,
        },
        name: "Invoice 10482.pdf",
        folder,
      },
      answer: { body: file },
    },
    download_file: { input: { file: file.id }, answer: { body: "content" } },
    export_document: { input: { file: file.id, format: "text/plain" }, answer: { body: "content" } },
    search_files: { input: { words: "Ada's invoice", in: "fullText" }, pages },
    list_folder: { input: { folder }, pages },
    create_folder: {
      input: { name: "Invoices", folder },
      answer: { body: { ...file, name: "Invoices", mimeType: "application/vnd.google-apps.folder" } },
    },
    share_file: {
      input: { file: file.id, email: "grace@example.com", role: "reader", notify: false },
      answer: {
        body: { kind: "drive#permission", id: "14241692764409393064", type: "user", role: "reader" },
      },
    },
    delete_file: { input: { file: file.id }, answer: { body: file } },
  },
  options: {
    files: { pages, first: { value: file.id, label: file.name } },
    folders: { pages, first: { value: file.id, label: file.name } },
  },
  triggers: {
    new_file: { kind: "polling", input: { folder }, pages },
    changed_file: { kind: "polling", input: { folder }, pages },
  },
  errors: [
    {
      status: 404,
      body: {
        error: { code: 404, message: "File not found: 1a2b3c4d5e.", errors: [{ reason: "notFound" }] },
      },
      says: "Google Drive: Google found nothing there, or the account has no access to it.",
    },
    {
      status: 403,
      body: { error: { code: 403, message: "The user does not have sufficient permissions for this file." } },
      says: "Google Drive: The user does not have sufficient permissions for this file.",
    },
  ],
};
