import type { AppField } from "../contract/apps.ts";
import type { AppValues } from "./define-app.ts";
import { defineApp } from "./define-app.ts";
import { mailFields } from "./mail-fields.ts";
import { microsoftAuth, microsoftErrors } from "./microsoft-auth.ts";

const message: AppField = {
  type: "string",
  title: "Message",
  description: "The id of a message.",
  required: true,
};
const times: Record<string, AppField> = {
  start: { type: "string", title: "Start", required: true, example: "2026-03-01T09:00:00" },
  end: { type: "string", title: "End", required: true, example: "2026-03-01T10:00:00" },
  timeZone: { type: "string", title: "Time zone", default: "UTC", example: "Europe/Berlin" },
};

const messageItem = {
  id: "{{item.id}}",
  from: "{{item.from.emailAddress.address}}",
  subject: "{{item.subject}}",
  preview: "{{item.bodyPreview}}",
  receivedAt: "{{item.receivedDateTime}}",
  isRead: "{{item.isRead}}",
  hasAttachments: "{{item.hasAttachments}}",
};
const itemSample = {
  id: "AAMkAGUAAAwTW09AAA=",
  from: "admin@example.com",
  subject: "You have late tasks!",
  preview: "You don't have any upcoming tasks.",
  receivedAt: "2018-08-10T12:52:01Z",
  isRead: false,
  hasAttachments: false,
};
const eventItem = {
  id: "{{item.id}}",
  subject: "{{item.subject}}",
  start: "{{item.start}}",
  end: "{{item.end}}",
  url: "{{item.webLink}}",
};
const eventSample = {
  id: "AAMkAGViNDU7zAAAAA7zAAA=",
  subject: "Let's go brunch",
  start: { dateTime: "2019-06-16T12:00:00.0000000", timeZone: "Europe/Paris" },
  end: { dateTime: "2019-06-16T14:00:00.0000000", timeZone: "Europe/Paris" },
  url: "https://outlook.office365.com/owa/?itemid=AAMkAGViNDU7zAAAAA7zAAA%3D",
};
const list = { kind: "next_url", next: "{{body['@odata.nextLink']}}", size: 100 } as const;
const FIELDS = "id,from,subject,bodyPreview,receivedDateTime,isRead,hasAttachments";

function recipients(addresses: unknown) {
  const all = typeof addresses === "string" ? addresses.split(",") : [];
  return all.flatMap((address) =>
    address.trim() === "" ? [] : [{ emailAddress: { address: address.trim() } }],
  );
}

function prepareMail({ input }: AppValues) {
  const { html, text } = input;
  return {
    message: {
      subject: input["subject"] ?? "",
      body: { contentType: html === undefined ? "Text" : "HTML", content: html ?? text ?? "" },
      toRecipients: recipients(input["to"]),
      ccRecipients: recipients(input["cc"]),
      bccRecipients: recipients(input["bcc"]),
    },
  };
}

export const outlook = defineApp({
  id: "outlook",
  title: "Outlook",
  description: "Send, find and read email, and create events.",
  category: "communication",
  synonyms: ["email", "mail", "inbox", "microsoft", "calendar", "office 365"],
  icon: { letters: "Ou", color: "#0078d4" },
  documentation: "https://learn.microsoft.com/graph/api/resources/mail-api-overview",
  baseUrl: "https://graph.microsoft.com/v1.0",
  hosts: ["graph.microsoft.com"],
  auth: [microsoftAuth("Mail.ReadWrite", "Mail.Send", "Calendars.ReadWrite")],
  test: { request: { path: "/me" }, account: "{{body.userPrincipalName}}" },
  errors: microsoftErrors,
  options: {
    folders: {
      title: "Folders",
      request: { path: "/me/mailFolders", query: { $top: "{{pageSize}}" } },
      items: "{{body.value}}",
      paging: list,
      value: "{{item.id}}",
      label: "{{item.displayName}}",
    },
  },
  actions: {
    send_email: {
      title: "Send an email",
      description: "Sends an email from your address.",
      synonyms: ["mail", "notify"],
      input: mailFields,
      prepare: prepareMail,
      request: { method: "POST", path: "/me/sendMail", body: { message: "{{prepared.message}}" } },
      sample: null,
    },
    reply: {
      title: "Reply to an email",
      description: "Sends an answer to the sender.",
      synonyms: ["answer", "respond"],
      input: { message, text: { type: "string", title: "Text", format: "multiline", required: true } },
      request: {
        method: "POST",
        path: "/me/messages/{{input.message}}/reply",
        body: { comment: "{{input.text}}" },
      },
      sample: null,
    },
    create_draft: {
      title: "Create a draft",
      description: "Stores an email that you send yourself.",
      input: mailFields,
      prepare: prepareMail,
      request: { method: "POST", path: "/me/messages", body: "{{prepared.message}}" },
      output: { id: "{{body.id}}", subject: "{{body.subject}}", url: "{{body.webLink}}" },
      sample: {
        id: "AAMkADA1MTAAAAqldOAAA=",
        subject: "Did you see last night's game?",
        url: "https://outlook.office365.com/owa/?ItemID=AAMkADA1MTAAAAqldOAAA",
      },
    },
    get_email: {
      title: "Get an email",
      description: "Reads an email with its text.",
      synonyms: ["read"],
      input: { message },
      request: { path: "/me/messages/{{input.message}}" },
      output: {
        id: "{{body.id}}",
        from: "{{body.from.emailAddress.address}}",
        subject: "{{body.subject}}",
        content: "{{body.body.content}}",
        contentType: "{{body.body.contentType}}",
        receivedAt: "{{body.receivedDateTime}}",
      },
      sample: {
        id: "AAMkAGUAAAwTW09AAA=",
        from: "admin@example.com",
        subject: "You have late tasks!",
        content: "<html><body>You don't have any upcoming tasks.</body></html>",
        contentType: "html",
        receivedAt: "2018-08-10T12:52:01Z",
      },
    },
    list_emails: {
      title: "List emails",
      description: "Lists the emails of a folder, the newest first.",
      synonyms: ["find", "inbox"],
      input: {
        folder: { type: "string", title: "Folder", default: "inbox", options: "folders" },
        filter: {
          type: "string",
          title: "Filter",
          description: "In OData's form.",
          example: "isRead eq false",
          advanced: true,
        },
      },
      request: {
        path: "/me/mailFolders/{{input.folder}}/messages",
        query: { $select: FIELDS, $filter: "{{input.filter}}", $top: "{{pageSize}}" },
      },
      items: "{{body.value}}",
      paging: list,
      output: messageItem,
      sample: [itemSample],
    },
    mark_as_read: {
      title: "Mark an email as read",
      description: "Marks an email as read or unread.",
      input: { message, isRead: { type: "boolean", title: "Read", default: true } },
      request: {
        method: "PATCH",
        path: "/me/messages/{{input.message}}",
        body: { isRead: "{{input.isRead}}" },
      },
      output: { id: "{{body.id}}", isRead: "{{body.isRead}}" },
      sample: { id: "AAMkAGUAAAwTW09AAA=", isRead: true },
    },
    move_email: {
      title: "Move an email",
      description: "Moves an email to another folder.",
      synonyms: ["archive"],
      input: {
        message,
        folder: { type: "string", title: "Folder", required: true, options: "folders", example: "archive" },
      },
      request: {
        method: "POST",
        path: "/me/messages/{{input.message}}/move",
        body: { destinationId: "{{input.folder}}" },
      },
      output: { id: "{{body.id}}" },
      sample: { id: "AAMkADhAAAW-VPeAAA=" },
    },
    create_event: {
      title: "Create an event",
      description: "Adds an event to your calendar, with guests if you like.",
      synonyms: ["meeting", "invite", "appointment"],
      input: {
        subject: { type: "string", title: "Title", required: true },
        ...times,
        description: { type: "string", title: "Description", format: "multiline" },
        location: { type: "string", title: "Location", advanced: true },
        attendees: { type: "string", title: "Guests", description: "Addresses, separated by commas." },
      },
      prepare: ({ input }) => ({
        attendees: recipients(input["attendees"]).map((one) => ({ ...one, type: "required" })),
        ...(input["description"] !== undefined && {
          body: { contentType: "Text", content: input["description"] },
        }),
      }),
      request: {
        method: "POST",
        path: "/me/events",
        body: {
          subject: "{{input.subject}}",
          body: "{{prepared.body}}",
          start: { dateTime: "{{input.start}}", timeZone: "{{input.timeZone}}" },
          end: { dateTime: "{{input.end}}", timeZone: "{{input.timeZone}}" },
          location: { displayName: "{{input.location}}" },
          attendees: "{{prepared.attendees}}",
        },
      },
      output: {
        id: "{{body.id}}",
        subject: "{{body.subject}}",
        start: "{{body.start}}",
        end: "{{body.end}}",
        url: "{{body.webLink}}",
      },
      sample: eventSample,
    },
    list_events: {
      title: "List events",
      description: "Lists the events between two times.",
      synonyms: ["calendar", "agenda"],
      input: {
        from: { type: "string", title: "From", format: "date-time", required: true },
        to: { type: "string", title: "To", format: "date-time", required: true },
      },
      request: {
        path: "/me/calendarView",
        query: {
          startDateTime: "{{input.from}}",
          endDateTime: "{{input.to}}",
          $orderby: "start/dateTime",
          $top: "{{pageSize}}",
        },
      },
      items: "{{body.value}}",
      paging: list,
      output: eventItem,
      sample: [eventSample],
    },
  },
  triggers: {
    new_email: {
      title: "New email",
      description: "Starts a run for each new email of a folder.",
      synonyms: ["received", "inbox", "mail"],
      input: { folder: { type: "string", title: "Folder", default: "inbox", options: "folders" } },
      polling: {
        request: {
          path: "/me/mailFolders/{{input.folder}}/messages",
          query: { $select: FIELDS, $orderby: "receivedDateTime desc", $top: "{{pageSize}}" },
        },
        items: "{{body.value}}",
        paging: { kind: "next_url", next: "{{body['@odata.nextLink']}}", size: 50 },
        key: "{{item.id}}",
        name: "{{item.subject}}",
        order: "newest_first",
        output: messageItem,
      },
      sample: itemSample,
    },
    new_event: {
      title: "New event",
      description: "Starts a run for each event that is added to your calendar.",
      synonyms: ["meeting", "booked"],
      input: {},
      polling: {
        request: { path: "/me/events", query: { $orderby: "createdDateTime desc", $top: "{{pageSize}}" } },
        items: "{{body.value}}",
        paging: { kind: "next_url", next: "{{body['@odata.nextLink']}}", size: 50 },
        key: "{{item.id}}",
        name: "{{item.subject}}",
        order: "newest_first",
        output: eventItem,
      },
      sample: eventSample,
    },
  },
});
