import type { AppMap } from "./app-map.ts";
import { allRows, cellFormat, columnValues, limit, mailBody, sheetName } from "./app-inputs.ts";

const sheet = { spreadsheet: ["documentId", "sheetId"], sheet: sheetName };
const draftMail = {
  to: ["sendTo", "toList", "options.sendTo", "toEmail"],
  subject: "subject",
  ...mailBody(["message"]),
  cc: ["options.ccList"],
  bcc: ["options.bccList"],
};

export const googleApps: Readonly<Record<string, AppMap>> = {
  gmail: {
    app: "gmail",
    standard: "message:send",
    actions: {
      "message:send": { action: "send_email", input: draftMail },
      "draft:create": { action: "create_draft", input: draftMail },
      "message:get": { action: "get_email", input: { message: "messageId" } },
      "message:getAll": { action: "search_emails", input: { query: ["filters.q"], limit } },
      "message:addLabels": { action: "change_labels", input: { message: "messageId", add: "labelIds" } },
      "message:removeLabels": {
        action: "change_labels",
        input: { message: "messageId", remove: "labelIds" },
      },
      "message:markAsRead": {
        action: "change_labels",
        input: { message: "messageId", remove: () => ["UNREAD"] },
      },
      "message:markAsUnread": {
        action: "change_labels",
        input: { message: "messageId", add: () => ["UNREAD"] },
      },
      "message:delete": { action: "trash_email", input: { message: "messageId" } },
    },
  },
  googleSheets: {
    app: "google-sheets",
    standard: "sheet:read",
    actions: {
      "sheet:read": { action: "read_rows", input: { ...sheet, limit: allRows } },
      "sheet:getAll": { action: "read_rows", input: { ...sheet, limit: allRows } },
      "sheet:append": {
        action: "append_row",
        input: { ...sheet, values: columnValues, asTyped: cellFormat },
      },
      "sheet:create": { action: "add_sheet", input: { spreadsheet: "documentId", title: "title" } },
      "spreadsheet:create": { action: "create_spreadsheet", input: { title: "title" } },
    },
  },
  googleDrive: {
    app: "google-drive",
    standard: "file:upload",
    actions: {
      "file:upload": {
        action: "upload_file",
        input: { file: (context) => context.current(), name: "name", folder: ["folderId"] },
      },
      "file:download": { action: "download_file", input: { file: "fileId" } },
      "file:share": {
        action: "share_file",
        input: { file: "fileId", email: ["permissionsUi.permissionsValues.emailAddress"] },
      },
      "file:deleteFile": { action: "delete_file", input: { file: "fileId" } },
      "fileFolder:search": {
        action: "search_files",
        input: { words: "queryString", in: ["filter.folderId"], limit },
      },
      "folder:create": { action: "create_folder", input: { name: "name", folder: ["folderId"] } },
    },
  },
  googleCalendar: {
    app: "google-calendar",
    standard: "event:create",
    actions: {
      "event:create": {
        action: "create_event",
        input: {
          calendar: "calendar",
          summary: ["additionalFields.summary", "summary"],
          start: "start",
          end: "end",
          description: ["additionalFields.description"],
          location: ["additionalFields.location"],
        },
      },
      "event:getAll": {
        action: "list_events",
        input: {
          calendar: "calendar",
          from: ["timeMin", "options.timeMin"],
          to: ["timeMax", "options.timeMax"],
          limit,
        },
      },
      "event:get": { action: "get_event", input: { calendar: "calendar", event: "eventId" } },
      "event:update": {
        action: "update_event",
        input: {
          calendar: "calendar",
          event: "eventId",
          summary: ["updateFields.summary"],
          start: ["updateFields.start"],
          end: ["updateFields.end"],
        },
      },
      "event:delete": { action: "delete_event", input: { calendar: "calendar", event: "eventId" } },
    },
  },
};
