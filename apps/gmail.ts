import type { AppField } from "../contract/apps.ts";
import { isRecord, type JsonValue } from "../contract/placeholders/json-value.ts";
import type { AppValues } from "./define-app.ts";
import { defineApp } from "./define-app.ts";
import { googleAuth, googleErrors } from "./google-auth.ts";
import { mailFields } from "./mail-fields.ts";

const message: AppField = {
  type: "string",
  title: "Message",
  description: "The id of a message.",
  required: true,
  example: "18c1d0f2a7b3e4c5",
};
const mail: Record<string, AppField> = {
  ...mailFields,
  replyTo: { type: "string", title: "Reply to", advanced: true },
};
const query: AppField = {
  type: "string",
  title: "Search",
  description: "As in the search field of Gmail.",
  example: "from:ada@example.com is:unread",
};

const sentSample = { id: "18c1d0f2a7b3e4c5", threadId: "18c1d0f2a7b3e4c5", labelIds: ["SENT"] };
const messageSample = {
  id: "18c1d0f2a7b3e4c5",
  threadId: "18c1d0f2a7b3e4c5",
  from: "Ada <ada@example.com>",
  to: "grace@example.com",
  subject: "Invoice",
  date: "Mon, 12 Jan 2026 09:30:00 +0000",
  text: "Here is the invoice.",
  snippet: "Here is the invoice.",
  labels: ["INBOX", "UNREAD"],
};
const list = { kind: "cursor", cursor: "{{body.nextPageToken}}", size: 100 } as const;

/** A line break in a header would add another header. Letters beyond ASCII are encoded words (RFC 2047). */
function header(name: string, value: JsonValue | undefined): string[] {
  if (value === undefined || value === null || value === "") return [];
  const text = String(value).replace(/[\r\n]+/g, " ");
  const isAscii = /^[\x20-\x7e]*$/.test(text);
  return [`${name}: ${isAscii ? text : `=?UTF-8?B?${base64(text)}?=`}`];
}

const bytesOf = (text: string) => new TextEncoder().encode(text);
const base64 = (text: string) =>
  btoa(Array.from(bytesOf(text), (byte) => String.fromCodePoint(byte)).join(""));
const base64Url = (text: string) =>
  base64(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");

/** Gmail takes messages only as MIME. */
function rawMessage({ input }: AppValues, headers: string[] = []): string {
  const { html, text } = input;
  const content = base64(String(html ?? text ?? "")).replaceAll(/.{76}/g, "$&\r\n");
  return base64Url(
    [
      ...header("To", input["to"]),
      ...header("Cc", input["cc"]),
      ...header("Bcc", input["bcc"]),
      ...header("Reply-To", input["replyTo"]),
      ...header("Subject", input["subject"]),
      ...headers,
      "MIME-Version: 1.0",
      `Content-Type: text/${html === undefined ? "plain" : "html"}; charset=utf-8`,
      "Content-Transfer-Encoding: base64",
      "",
      content,
    ].join("\r\n"),
  );
}

type Part = {
  mimeType?: string;
  body?: { data?: string };
  parts?: Part[];
  headers?: { name: string; value: string }[];
};

function textOf(part: Part, type: string): string | undefined {
  if (part.mimeType === type && part.body?.data !== undefined) return fromBase64Url(part.body.data);
  for (const inner of part.parts ?? []) {
    const found = textOf(inner, type);
    if (found !== undefined) return found;
  }
  return undefined;
}

function fromBase64Url(data: string): string {
  const binary = atob(data.replaceAll("-", "+").replaceAll("_", "/"));
  return new TextDecoder().decode(Uint8Array.from(binary, (char) => char.codePointAt(0) ?? 0));
}

/** A message with its headers and text in place of MIME parts. */
function readMessage(body: JsonValue): JsonValue {
  if (!isRecord(body)) return body;
  const { id, threadId, snippet, labelIds, payload = {} } = body as Record<string, JsonValue>;
  const part = payload as Part;
  const headerOf = (name: string) =>
    part.headers?.find((one) => one.name.toLowerCase() === name)?.value ?? null;
  return {
    id: id ?? null,
    threadId: threadId ?? null,
    from: headerOf("from"),
    to: headerOf("to"),
    subject: headerOf("subject"),
    date: headerOf("date"),
    messageId: headerOf("message-id"),
    text: textOf(part, "text/plain") ?? null,
    html: textOf(part, "text/html") ?? null,
    snippet: snippet ?? null,
    labels: labelIds ?? [],
  };
}

export const gmail = defineApp({
  id: "gmail",
  title: "Gmail",
  description: "Send, find, read and label email.",
  category: "communication",
  synonyms: ["email", "mail", "inbox", "google", "send"],
  icon: { letters: "Gm", color: "#ea4335" },
  documentation: "https://developers.google.com/workspace/gmail/api/reference/rest",
  baseUrl: "https://gmail.googleapis.com/gmail/v1/users/me",
  hosts: ["gmail.googleapis.com"],
  auth: [googleAuth("https://www.googleapis.com/auth/gmail.modify")],
  test: { request: { path: "/profile" }, account: "{{body.emailAddress}}" },
  errors: googleErrors,
  options: {
    labels: {
      title: "Labels",
      request: { path: "/labels" },
      items: "{{body.labels}}",
      value: "{{item.id}}",
      label: "{{item.name}}",
    },
  },
  actions: {
    send_email: {
      title: "Send an email",
      description: "Sends an email from your address.",
      synonyms: ["mail", "notify"],
      input: mail,
      prepare: (values) => ({ raw: rawMessage(values) }),
      request: { method: "POST", path: "/messages/send", body: { raw: "{{prepared.raw}}" } },
      sample: sentSample,
    },
    reply: {
      title: "Reply to an email",
      description: "Sends an answer in the same thread.",
      synonyms: ["answer", "respond"],
      input: {
        threadId: {
          type: "string",
          title: "Thread",
          description: "threadId of the message.",
          required: true,
        },
        messageId: {
          type: "string",
          title: "Message-ID",
          description: "messageId of the message, so that other programs see the thread.",
          advanced: true,
        },
        ...mail,
      },
      prepare: (values) => ({
        raw: rawMessage(values, [
          ...header("In-Reply-To", values.input["messageId"]),
          ...header("References", values.input["messageId"]),
        ]),
      }),
      request: {
        method: "POST",
        path: "/messages/send",
        body: { raw: "{{prepared.raw}}", threadId: "{{input.threadId}}" },
      },
      sample: sentSample,
    },
    create_draft: {
      title: "Create a draft",
      description: "Stores an email that you send yourself.",
      input: mail,
      prepare: (values) => ({ raw: rawMessage(values) }),
      request: { method: "POST", path: "/drafts", body: { message: { raw: "{{prepared.raw}}" } } },
      sample: { id: "r-8722016389215", message: sentSample },
    },
    get_email: {
      title: "Get an email",
      description: "Reads the sender, subject and text of an email.",
      synonyms: ["read"],
      input: { message },
      request: { path: "/messages/{{input.message}}", query: { format: "full" } },
      parse: readMessage,
      sample: { ...messageSample, messageId: "<CAF@mail.example.com>", html: null },
    },
    search_emails: {
      title: "Search emails",
      description: "Finds emails; each has an id for “Get an email”.",
      synonyms: ["find", "list"],
      input: { query },
      request: {
        path: "/messages",
        query: { q: "{{input.query}}", maxResults: "{{pageSize}}", pageToken: "{{cursor}}" },
      },
      items: "{{body.messages}}",
      paging: list,
      sample: [{ id: "18c1d0f2a7b3e4c5", threadId: "18c1d0f2a7b3e4c5" }],
    },
    change_labels: {
      title: "Change labels",
      description:
        "Adds labels to an email or removes them. Removing UNREAD marks it as read, removing INBOX archives it.",
      synonyms: ["archive", "mark as read", "star"],
      input: {
        message,
        add: {
          type: "array",
          title: "Add",
          description: "Ids of labels.",
          items: { type: "string" },
          example: '["STARRED"]',
        },
        remove: {
          type: "array",
          title: "Remove",
          description: "Ids of labels.",
          items: { type: "string" },
          example: '["UNREAD"]',
        },
      },
      request: {
        method: "POST",
        path: "/messages/{{input.message}}/modify",
        body: { addLabelIds: "{{input.add}}", removeLabelIds: "{{input.remove}}" },
      },
      sample: { ...sentSample, labelIds: ["INBOX"] },
    },
    trash_email: {
      title: "Delete an email",
      description: "Moves an email to the trash.",
      synonyms: ["remove", "trash"],
      input: { message },
      request: { method: "POST", path: "/messages/{{input.message}}/trash", body: {} },
      sample: { ...sentSample, labelIds: ["TRASH"] },
    },
  },
  triggers: {
    new_email: {
      title: "New email",
      description: "Starts a run for each new email; its text is read with “Get an email”.",
      synonyms: ["received", "inbox", "mail"],
      input: { query: { ...query, default: "in:inbox" } },
      polling: {
        request: {
          path: "/messages",
          query: { q: "{{input.query}}", maxResults: "{{pageSize}}", pageToken: "{{cursor}}" },
        },
        items: "{{body.messages}}",
        paging: list,
        key: "{{item.id}}",
        name: "{{item.id}}",
        order: "newest_first",
      },
      sample: { id: "18c1d0f2a7b3e4c5", threadId: "18c1d0f2a7b3e4c5" },
    },
  },
});
