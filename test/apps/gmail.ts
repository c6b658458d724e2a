import { gmail } from "../../apps/gmail.ts";
import fixture from "./fixtures/gmail.json" with { type: "json" };
import type { AppExamples } from "./support/app-examples.ts";

const id = "18c1d0f2a7b3e4c5";
const sent = { id, threadId: id, labelIds: ["SENT"] };
const mail = {
  to: "ada@example.com",
  subject: "Grüße",
  text: "Hello\nAda",
  cc: "grace@example.com",
  bcc: "alan@example.com",
  replyTo: "office@example.com",
};
const encoded = (text: string) => Buffer.from(text).toString("base64url");
const pages: [object, object] = [
  {
    body: { messages: [{ id, threadId: id }], nextPageToken: "09876543210987654321", resultSizeEstimate: 2 },
  },
  { body: { messages: [{ id: "18c1d0f2a7b3e4c6", threadId: id }], resultSizeEstimate: 2 } },
];

export const gmailExamples: AppExamples = {
  app: gmail,
  source: "https://developers.google.com/workspace/gmail/api/reference/rest/v1/users.messages",
  fixture,
  test: { body: { emailAddress: "ada@example.com", messagesTotal: 12 }, account: "ada@example.com" },
  actions: {
    send_email: {
      input: mail,
      answer: { body: sent },
      request: {
        method: "POST",
        path: "/gmail/v1/users/me/messages/send",
        body: {
          raw: encoded(
            [
              "To: ada@example.com",
              "Cc: grace@example.com",
              "Bcc: alan@example.com",
              "Reply-To: office@example.com",
              "Subject: =?UTF-8?B?R3LDvMOfZQ==?=",
              "MIME-Version: 1.0",
              "Content-Type: text/plain; charset=utf-8",
              "Content-Transfer-Encoding: base64",
              "",
              "SGVsbG8KQWRh",
            ].join("\r\n"),
          ),
        },
      },
    },
    reply: {
      input: {
        threadId: id,
        messageId: "<CAF@mail.example.com>\r\nBcc: evil@example.com",
        to: "ada@example.com",
        subject: "Re: Invoice",
        html: "<b>Paid</b>",
      },
      answer: { body: sent },
      request: {
        method: "POST",
        path: "/gmail/v1/users/me/messages/send",
        body: {
          threadId: id,
          raw: encoded(
            [
              "To: ada@example.com",
              "Subject: Re: Invoice",
              "In-Reply-To: <CAF@mail.example.com> Bcc: evil@example.com",
              "References: <CAF@mail.example.com> Bcc: evil@example.com",
              "MIME-Version: 1.0",
              "Content-Type: text/html; charset=utf-8",
              "Content-Transfer-Encoding: base64",
              "",
              "PGI+UGFpZDwvYj4=",
            ].join("\r\n"),
          ),
        },
      },
    },
    create_draft: { input: mail, answer: { body: { id: "r-8722016389215", message: sent } } },
    get_email: {
      input: { message: id },
      answer: {
        body: {
          id,
          threadId: id,
          snippet: "Here is the invoice.",
          labelIds: ["INBOX", "UNREAD"],
          payload: {
            mimeType: "multipart/mixed",
            headers: [
              { name: "From", value: "Ada <ada@example.com>" },
              { name: "To", value: "grace@example.com" },
              { name: "Subject", value: "Invoice" },
              { name: "Date", value: "Mon, 12 Jan 2026 09:30:00 +0000" },
              { name: "Message-Id", value: "<CAF@mail.example.com>" },
            ],
            parts: [{ mimeType: "text/plain", body: { data: encoded("Here is the invoice.") } }],
          },
        },
      },
    },
    search_emails: { input: { query: "is:unread" }, pages },
    change_labels: {
      input: { message: id, add: ["STARRED"], remove: ["UNREAD"] },
      answer: { body: { id, threadId: id, labelIds: ["INBOX"] } },
    },
    trash_email: { input: { message: id }, answer: { body: { id, threadId: id, labelIds: ["TRASH"] } } },
  },
  options: {
    labels: {
      answer: { body: { labels: [{ id: "Label_1", name: "Invoices", type: "user" }] } },
      first: { value: "Label_1", label: "Invoices" },
    },
  },
  triggers: { new_email: { kind: "polling", input: {}, pages } },
  errors: [
    {
      status: 404,
      body: { error: { code: 404, message: "Requested entity was not found.", status: "NOT_FOUND" } },
      says: "Gmail: Google found nothing there, or the account has no access to it.",
    },
    {
      status: 400,
      body: { error: { code: 400, message: "Invalid To header", status: "INVALID_ARGUMENT" } },
      says: "Gmail: Invalid To header",
    },
  ],
};
