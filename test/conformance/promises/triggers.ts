import type { Section } from "./section.ts";

export const triggers: Section = {
  title: "Feeds, mailboxes and chats",
  promises: [
    {
      id: "28.1",
      text: "`POST /api/triggers`, `GET /api/triggers`, `GET /api/triggers/{id}`, `PATCH /api/triggers/{id}`, `DELETE /api/triggers/{id}`, `GET /api/triggers/{id}/items`: a trigger checks a feed or a mailbox and starts a run for each new item; an unknown one is 404 `trigger_not_found`.",
      proofs: [
        "test/triggers.test.ts › a feed starts a run for each new item, none for those of the first check, and asks for changes only",
        "server/triggers/email/email-source.test.ts › a mailbox gives each message after the first check once, with its UID as the key",
        "server/triggers/email/email-source.test.ts › startWith all takes what is there, in parts, and markSeen marks it",
        "server/triggers/email/email-source.test.ts › a mailbox that was numbered anew starts nothing again and continues with what is new",
        "test/triggers.test.ts › startWith all starts the items of the first check, oldest first",
        "test/triggers.test.ts › triggers are limited in number and interval, and belong to a workflow of their owner",
        "test/ownership.test.ts › [S13] [S15] another user's record is 403 for every verb of every route, an unknown one 404, and nothing changes",
      ],
    },
    {
      id: "28.2",
      text: "An item starts exactly one run, whatever process crashes at whatever moment.",
      proofs: [
        "server/triggers/trigger-crash.test.ts › [R5] a process that crashes at any write starts each item of a feed once, and each run increments once",
        "server/triggers/trigger-loop.test.ts › [R5] a process that dies after the poll and before the record loses no item",
        "server/triggers/trigger-loop.test.ts › [R5] a process that dies after the record and before the start leaves the item to the next one",
        "server/triggers/trigger-loop.test.ts › [R5] a process that dies between the start and its record starts the item with the same key",
        "server/triggers/trigger-loop.test.ts › [R5] a slow process whose claim was taken over stores nothing",
        "server/triggers/trigger-loop.test.ts › [R5] processes on one database check each trigger once and store each item once",
        "test/triggers.test.ts › an item that waited while the service was down starts once at the next start",
      ],
    },
    {
      id: "28.3",
      text: "A check that fails shows its error and backs off; a paused workflow is not checked; no owner takes the checks of another.",
      proofs: [
        "server/triggers/trigger-loop.test.ts › a failed check shows its error and backs off; the next success clears both",
        "server/triggers/trigger-loop.test.ts › a paused workflow is not checked, and what arrived meanwhile starts after it is resumed",
        "server/triggers/trigger-loop.test.ts › an owner has a few checks at once, and the trigger of another one is claimed with them",
      ],
    },
    {
      id: "28.4",
      text: "Feeds are read through the guard, with limits of size and depth, and without entities of a document type.",
      proofs: [
        "test/triggers.test.ts › a feed on a private network is refused by the guard of an instance that others can reach",
        "test/triggers.test.ts › a feed that fails shows why, and a feed that is no feed or too large is an error, too",
        "server/triggers/rss/parse-feed.test.ts › entities of a document type are neither loaded nor expanded",
        "server/triggers/rss/parse-feed.test.ts › a page that is no feed is refused, and so is one that is nested without end",
      ],
    },
    {
      id: "28.5",
      text: "`POST /api/triggers/{id}/test` returns the newest item as input, starts nothing and hides nothing from the trigger.",
      proofs: [
        "test/triggers.test.ts › a test returns the newest item as input, starts nothing and hides nothing from the trigger",
      ],
    },
    {
      id: "28.6",
      text: "A mailbox is read over TLS, at an address that the guard has checked; its password is encrypted at rest and in no response.",
      proofs: [
        "server/triggers/email/email-source.test.ts › the guard refuses a mail server on a private network, and nothing is connected",
        "server/triggers/email/email-source.test.ts › a certificate that nobody trusts, or that belongs to another host, ends the connection before the login",
        "server/triggers/email/email-source.test.ts › with starttls the login is sent after the connection changed to TLS",
        "test/triggers.test.ts › the password of a mailbox is encrypted, never returned, and asked for again with another host",
      ],
    },
    {
      id: "28.7",
      text: "`GET /api/chats/{slug}`, `POST /api/chats/{slug}/messages`, `GET /api/chats/{slug}/conversations/{conversationId}`, `DELETE /api/chats/{slug}/conversations/{conversationId}`: a workflow or an agent answers people, streaming, with the history of the conversation; an unknown or paused chat is 404 `chat_not_found`.",
      proofs: [
        "test/chats.test.ts › a workflow answers with the message, the conversation and its history as input, and the conversation is kept",
        "test/chats.test.ts › an agent answers in parts while it writes, and remembers the conversation",
        "test/chats.test.ts › the text of the step that answers is streamed, and that of no other step",
        "test/chats.test.ts › a paused or unknown chat is 404, a paused workflow 409, and invalid messages are 400",
        "test/chats.test.ts › an address is taken once, and a chat has a workflow or an agent of its owner",
      ],
    },
    {
      id: "28.8",
      text: "A message of a chat starts one run, and no answer is lost by a crash or a visitor who leaves.",
      proofs: [
        "test/chats.test.ts › a message that is sent twice starts one run and gets the same answer",
        "test/chats.test.ts › [R5] an answer that nobody waited for, because the process or the visitor went away, is in the conversation",
      ],
    },
    {
      id: "28.9",
      text: "A public chat is limited by address, chat and owner, tells nothing about steps and errors, and can be put behind a login.",
      proofs: [
        "test/chats.test.ts › messages are limited by address and chat, and by what an owner keeps",
        "test/chats.test.ts › visitors learn that an answer failed or waits for a person, and nothing else",
        "test/chats.test.ts › a chat behind a login is refused without one, and its conversations belong to the account",
        "server/triggers/chat/exchange.sql.test.ts › messages from before a time are deleted, and later ones are kept",
      ],
    },
    {
      id: "28.10",
      text: "The chat page works by keyboard and after a reload, is under 90 kB, and only the listed sites can embed it.",
      proofs: [
        "test/browser/chat.test.ts › a visitor writes by keyboard, reads the answers, and finds them after a reload",
        "test/browser/chat.test.ts › a message that could not be sent is sent again without a second run",
        "test/browser/chat.test.ts › the widget opens the chat in a site that may embed it, by keyboard, and Escape closes it",
        "test/browser/chat.test.ts › a site that is not on the list shows no chat",
        "server/http/web.routes.test.ts › the page of a chat may be framed by the sites of its owner and by nobody else",
      ],
    },
    {
      id: "28.11",
      text: "In the builder a trigger is tested with a real sample, which can be pinned as the input of test runs of the draft.",
      proofs: [
        "test/browser/stored-triggers.test.ts › a feed is added, tested with a real item and pinned, and the draft runs with it",
        "test/browser/stored-triggers.test.ts › a feed that cannot be read says why, and its items are listed with their runs",
        "test/browser/stored-triggers.test.ts › a mailbox is added with its password, which is not shown again",
        "test/browser/stored-triggers.test.ts › a chat is added with an address to open and code to embed, and tested with a message",
        "web/flow/known-results.test.ts › a pinned input replaces that of the runs, also when there is no run yet",
      ],
    },
  ],
};
