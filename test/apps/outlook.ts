import { outlook } from "../../apps/outlook.ts";
import type { AppExamples } from "./support/app-examples.ts";

const message = {
  id: "AAMkAGUAAAwTW09AAA=",
  subject: "You have late tasks!",
  bodyPreview: "You don't have any upcoming tasks.",
  body: { contentType: "html", content: "<html><body>You don't have any upcoming tasks.</body></html>" },
  from: { emailAddress: { name: "Admin", address: "admin@example.com" } },
  receivedDateTime: "2018-08-10T12:52:01Z",
  isRead: false,
  hasAttachments: false,
};
const id = "AAMkAGUAAAwTW09AAA%3D";
const event = {
  id: "AAMkAGViNDU7zAAAAA7zAAA=",
  subject: "Let's go brunch",
  start: { dateTime: "2019-06-16T12:00:00.0000000", timeZone: "Europe/Paris" },
  end: { dateTime: "2019-06-16T14:00:00.0000000", timeZone: "Europe/Paris" },
  webLink: "https://outlook.office365.com/owa/?itemid=AAMkAGViNDU7zAAAAA7zAAA%3D",
};
const address = (email: string) => ({ emailAddress: { address: email } });
const mail = {
  to: "ada@example.com, grace@example.com",
  subject: "Invoice",
  text: "Here it is.",
  cc: "alan@example.com",
};
const mailBody = {
  subject: "Invoice",
  body: { contentType: "Text", content: "Here it is." },
  toRecipients: [address("ada@example.com"), address("grace@example.com")],
  ccRecipients: [address("alan@example.com")],
  bccRecipients: [],
};
const pagesOf = (item: { id: string }): [object, object] => [
  { body: { value: [item], "@odata.nextLink": "https://graph.microsoft.com/v1.0/me/messages?$skip=1" } },
  { body: { value: [{ ...item, id: "AAMkAGUAAAwTW0-AAA=" }] } },
];
const SELECT = "%24select=id%2Cfrom%2Csubject%2CbodyPreview%2CreceivedDateTime%2CisRead%2ChasAttachments";

export const outlookExamples: AppExamples = {
  app: outlook,
  source: "https://learn.microsoft.com/graph/api/user-list-messages",
  fixture: null,
  test: { body: { userPrincipalName: "AdeleV@contoso.com" }, account: "AdeleV@contoso.com" },
  actions: {
    send_email: {
      input: { ...mail, html: "<b>Here</b>", bcc: "eve@example.com" },
      answer: { status: 202 },
      request: {
        method: "POST",
        path: "/v1.0/me/sendMail",
        body: {
          message: {
            ...mailBody,
            body: { contentType: "HTML", content: "<b>Here</b>" },
            bccRecipients: [address("eve@example.com")],
          },
        },
      },
    },
    reply: {
      input: { message: message.id, text: "Done" },
      answer: { status: 202 },
      request: { method: "POST", path: `/v1.0/me/messages/${id}/reply`, body: { comment: "Done" } },
    },
    create_draft: {
      input: mail,
      answer: {
        status: 201,
        body: {
          id: "AAMkADA1MTAAAAqldOAAA=",
          subject: "Did you see last night's game?",
          webLink: "https://outlook.office365.com/owa/?ItemID=AAMkADA1MTAAAAqldOAAA",
        },
      },
      request: { method: "POST", path: "/v1.0/me/messages", body: mailBody },
    },
    get_email: {
      input: { message: message.id },
      answer: { body: message },
      request: { method: "GET", path: `/v1.0/me/messages/${id}` },
    },
    list_emails: {
      input: { folder: "inbox", filter: "isRead eq false" },
      pages: pagesOf(message),
      request: {
        method: "GET",
        path: `/v1.0/me/mailFolders/inbox/messages?${SELECT}&%24filter=isRead+eq+false&%24top=100`,
      },
    },
    mark_as_read: {
      input: { message: message.id },
      answer: { body: { ...message, isRead: true } },
      request: { method: "PATCH", path: `/v1.0/me/messages/${id}`, body: { isRead: true } },
    },
    move_email: {
      input: { message: message.id, folder: "archive" },
      answer: { status: 201, body: { id: "AAMkADhAAAW-VPeAAA=" } },
      request: { method: "POST", path: `/v1.0/me/messages/${id}/move`, body: { destinationId: "archive" } },
    },
    create_event: {
      input: {
        subject: "Let's go brunch",
        start: "2019-06-16T12:00:00",
        end: "2019-06-16T14:00:00",
        timeZone: "Europe/Paris",
        description: "With eggs",
        location: "Cafe",
        attendees: "ada@example.com",
      },
      answer: { status: 201, body: event },
      request: {
        method: "POST",
        path: "/v1.0/me/events",
        body: {
          subject: "Let's go brunch",
          body: { contentType: "Text", content: "With eggs" },
          start: { dateTime: "2019-06-16T12:00:00", timeZone: "Europe/Paris" },
          end: { dateTime: "2019-06-16T14:00:00", timeZone: "Europe/Paris" },
          location: { displayName: "Cafe" },
          attendees: [{ ...address("ada@example.com"), type: "required" }],
        },
      },
    },
    list_events: {
      input: { from: "2019-06-16T00:00:00Z", to: "2019-06-17T00:00:00Z" },
      pages: pagesOf(event),
      request: {
        method: "GET",
        path: "/v1.0/me/calendarView?startDateTime=2019-06-16T00%3A00%3A00Z&endDateTime=2019-06-17T00%3A00%3A00Z&%24orderby=start%2FdateTime&%24top=100",
      },
    },
  },
  options: {
    folders: {
      pages: pagesOf({ id: "AQMkADYAAAIBDAAAAA==", displayName: "Inbox" } as { id: string }),
      request: { method: "GET", path: "/v1.0/me/mailFolders?%24top=100" },
      first: { value: "AQMkADYAAAIBDAAAAA==", label: "Inbox" },
    },
  },
  triggers: {
    new_email: {
      kind: "polling",
      input: {},
      pages: pagesOf(message),
      request: {
        method: "GET",
        path: `/v1.0/me/mailFolders/inbox/messages?${SELECT}&%24orderby=receivedDateTime+desc&%24top=50`,
      },
    },
    new_event: {
      kind: "polling",
      input: {},
      pages: pagesOf(event),
      request: { method: "GET", path: "/v1.0/me/events?%24orderby=createdDateTime+desc&%24top=50" },
    },
  },
  errors: [
    {
      status: 404,
      body: {
        error: { code: "ErrorItemNotFound", message: "The specified object was not found in the store." },
      },
      says: "Outlook: Microsoft found nothing there, or the account has no access to it.",
    },
    {
      status: 400,
      body: { error: { code: "ErrorInvalidRecipients", message: "At least one recipient is not valid." } },
      says: "Outlook: At least one recipient is not valid.",
    },
  ],
};
