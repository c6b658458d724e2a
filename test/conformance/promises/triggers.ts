import type { Section } from "./section.ts";

export const triggers: Section = {
  title: "Triggers that check a source",
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
        "server/triggers/trigger-loop.test.ts › [R5] a process that dies after the poll and before the record loses no item",
        "server/triggers/trigger-loop.test.ts › [R5] a process that dies after the record and before the start leaves the item to the next one",
        "server/triggers/trigger-loop.test.ts › [R5] a process that dies between the start and its record starts the item with the same key",
        "server/triggers/trigger-loop.test.ts › [R5] a slow process whose claim was taken over stores nothing",
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
  ],
};
