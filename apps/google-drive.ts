import type { AppField } from "../contract/apps.ts";
import { defineApp } from "./define-app.ts";
import { googleAuth, googleErrors } from "./google-auth.ts";

const file: AppField = {
  type: "string",
  title: "File",
  description: "The id of a file.",
  required: true,
  options: "files",
  example: "1a2b3c4d5e",
};
const folder: AppField = {
  type: "string",
  title: "Folder",
  description: "The id of a folder; the top by default.",
  options: "folders",
};
const name: AppField = { type: "string", title: "Name", required: true, example: "Invoice 10482.pdf" };
const FIELDS = "id,name,mimeType,size,createdTime,modifiedTime,webViewLink,parents";
const fileSample = {
  id: "1a2b3c4d5e",
  name: "Invoice 10482.pdf",
  mimeType: "application/pdf",
  size: "55126",
  createdTime: "2026-01-12T09:30:00.000Z",
  modifiedTime: "2026-01-12T09:30:00.000Z",
  webViewLink: "https://drive.google.com/file/d/1a2b3c4d5e/view",
  parents: ["0ABcdEfGhIjkLUk9PVA"],
};
const list = { kind: "cursor", cursor: "{{body.nextPageToken}}", size: 200 } as const;
const found = (q: string, orderBy: string) => ({
  request: {
    path: "/drive/v3/files",
    query: {
      q,
      orderBy,
      fields: `nextPageToken,files(${FIELDS})`,
      pageSize: "{{pageSize}}",
      pageToken: "{{cursor}}",
    },
  },
  items: "{{body.files}}",
  paging: list,
});

/** A text in quotes of Drive's query language. */
const quoted = (value: unknown) => `'${String(value).replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;

export const googleDrive = defineApp({
  id: "google-drive",
  title: "Google Drive",
  description: "Find, upload, download and share files.",
  category: "files",
  synonyms: ["file", "folder", "document", "storage", "upload"],
  icon: { letters: "Gd", color: "#1967d2" },
  documentation: "https://developers.google.com/workspace/drive/api/reference/rest/v3",
  baseUrl: "https://www.googleapis.com",
  hosts: ["www.googleapis.com"],
  auth: [googleAuth("https://www.googleapis.com/auth/drive")],
  test: {
    request: { path: "/drive/v3/about", query: { fields: "user" } },
    account: "{{body.user.emailAddress}}",
  },
  errors: googleErrors,
  options: {
    files: {
      title: "Files",
      ...found("trashed = false", "modifiedTime desc"),
      value: "{{item.id}}",
      label: "{{item.name}}",
    },
    folders: {
      title: "Folders",
      ...found("mimeType = 'application/vnd.google-apps.folder' and trashed = false", "name"),
      value: "{{item.id}}",
      label: "{{item.name}}",
    },
  },
  actions: {
    upload_file: {
      title: "Upload a file",
      description: "Stores a file of an earlier step.",
      synonyms: ["save", "put"],
      input: { file: { type: "object", title: "File", format: "file", required: true }, name, folder },
      prepare: ({ input }) => ({
        metadata: {
          name: input["name"] ?? null,
          ...(input["folder"] !== undefined && { parents: [input["folder"]] }),
        },
      }),
      request: {
        method: "POST",
        path: "/upload/drive/v3/files",
        query: { uploadType: "multipart", fields: FIELDS },
        related: ["{{prepared.metadata}}", "{{input.file}}"],
      },
      sample: fileSample,
    },
    download_file: {
      title: "Download a file",
      description: "Reads a file as a file for later steps.",
      synonyms: ["get", "read"],
      input: { file },
      request: { path: "/drive/v3/files/{{input.file}}", query: { alt: "media" }, responseAs: "file" },
      sample: { file: "file_01j9x3", name: "Invoice 10482.pdf", contentType: "application/pdf", size: 55126 },
    },
    export_document: {
      title: "Export a document",
      description: "Reads a Google document, sheet or presentation as PDF, Word, Excel, text or CSV.",
      synonyms: ["pdf", "convert", "docs"],
      input: {
        file,
        format: {
          type: "string",
          title: "As",
          enum: [
            "application/pdf",
            "text/plain",
            "text/csv",
            "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
            "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
          ],
          default: "application/pdf",
        },
      },
      request: {
        path: "/drive/v3/files/{{input.file}}/export",
        query: { mimeType: "{{input.format}}" },
        responseAs: "file",
      },
      sample: { file: "file_01j9x4", name: "Report.pdf", contentType: "application/pdf", size: 48213 },
    },
    search_files: {
      title: "Search files",
      description: "Finds files by words in their name or text.",
      synonyms: ["find", "list"],
      input: {
        words: { type: "string", title: "Words", required: true },
        in: { type: "string", title: "In", enum: ["name", "fullText"], default: "name" },
      },
      prepare: ({ input }) => ({
        q: `${input["in"] === "fullText" ? "fullText" : "name"} contains ${quoted(input["words"])} and trashed = false`,
      }),
      ...found("{{prepared.q}}", "modifiedTime desc"),
      sample: [fileSample],
    },
    list_folder: {
      title: "List a folder",
      description: "Lists the files of a folder.",
      input: { folder: { ...folder, required: true, description: "The id of a folder." } },
      prepare: ({ input }) => ({ q: `${quoted(input["folder"])} in parents and trashed = false` }),
      ...found("{{prepared.q}}", "name"),
      sample: [fileSample],
    },
    create_folder: {
      title: "Create a folder",
      description: "Makes a folder.",
      input: { name, folder: { ...folder, title: "In folder" } },
      request: {
        method: "POST",
        path: "/drive/v3/files",
        query: { fields: FIELDS },
        body: {
          name: "{{input.name}}",
          mimeType: "application/vnd.google-apps.folder",
          parents: ["{{input.folder}}"],
        },
      },
      sample: { ...fileSample, name: "Invoices", mimeType: "application/vnd.google-apps.folder" },
    },
    share_file: {
      title: "Share a file",
      description: "Lets a person read or change a file.",
      synonyms: ["permission", "access"],
      input: {
        file,
        email: { type: "string", title: "Email", format: "email", required: true },
        role: { type: "string", title: "May", enum: ["reader", "commenter", "writer"], default: "reader" },
        notify: { type: "boolean", title: "Write to the person", default: true, advanced: true },
      },
      request: {
        method: "POST",
        path: "/drive/v3/files/{{input.file}}/permissions",
        query: { sendNotificationEmail: "{{input.notify}}" },
        body: { type: "user", role: "{{input.role}}", emailAddress: "{{input.email}}" },
      },
      sample: { kind: "drive#permission", id: "14241692764409393064", type: "user", role: "reader" },
    },
    delete_file: {
      title: "Delete a file",
      description: "Moves a file to the trash.",
      synonyms: ["remove", "trash"],
      input: { file },
      request: {
        method: "PATCH",
        path: "/drive/v3/files/{{input.file}}",
        query: { fields: FIELDS },
        body: { trashed: true },
      },
      sample: fileSample,
    },
  },
  triggers: {
    new_file: {
      title: "New file in a folder",
      description: "Starts a run for each new file of a folder.",
      synonyms: ["uploaded", "created"],
      input: { folder: { ...folder, required: true, description: "The id of a folder." } },
      polling: {
        prepare: ({ input }) => ({ q: `${quoted(input["folder"])} in parents and trashed = false` }),
        ...found("{{prepared.q}}", "createdTime desc"),
        key: "{{item.id}}",
        name: "{{item.name}}",
        order: "newest_first",
      },
      sample: fileSample,
    },
    changed_file: {
      title: "Changed file in a folder",
      description: "Starts a run each time a file of a folder changes.",
      synonyms: ["modified", "updated"],
      input: { folder: { ...folder, required: true, description: "The id of a folder." } },
      polling: {
        prepare: ({ input }) => ({ q: `${quoted(input["folder"])} in parents and trashed = false` }),
        ...found("{{prepared.q}}", "modifiedTime desc"),
        key: "{{item.id}}:{{item.modifiedTime}}",
        name: "{{item.name}}",
        order: "newest_first",
      },
      sample: fileSample,
    },
  },
});
