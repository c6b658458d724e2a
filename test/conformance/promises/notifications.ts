import type { Section } from "./section.ts";

export const notifications: Section = {
  title: "Notifications",
  promises: [
    {
      id: "46.1",
      text: "`GET /api/notifications` lists failed runs (grouped by workflow, step and error), approvals, connection problems and reached limits for the members whose role may act on them; a removed member and another workspace see none.",
      proofs: [
        "test/notifications.test.ts › a failed run notifies builders and up, with its error, step and link",
        "test/notifications.test.ts › failures of one workflow, step and error are one notification; others are not",
        "test/notifications.test.ts › tests of drafts and steps, and the failures of sub-workflows, notify nobody by themselves",
        "test/notifications.test.ts › an approval notifies those who may decide, until it is decided",
        "test/notifications.test.ts › an approval with approvers notifies only them",
        "test/notifications.test.ts › an approval whose approvers are gone notifies admins, once, and they may decide it",
        "test/notifications.test.ts › a connection that stops working notifies builders and up, once",
        "test/notifications.test.ts › a limit that is reached notifies admins and owners, with the number of refusals",
        "test/notifications.test.ts › nobody sees or reads the notifications of another workspace, and a removed member sees none",
        "test/notifications.test.ts › a new member sees nothing from before, and one who loses the role nothing more",
        "test/notifications.test.ts › the list is paged, the latest first",
      ],
    },
    {
      id: "46.2",
      text: "`POST /api/notifications/read` marks notifications as read for one person; one that grows is unread again. Connected pages are told of changes.",
      proofs: [
        "test/notifications.test.ts › a notification is read by one person, and unread again when it grows",
        "test/notifications.test.ts › a connected page is told of changes in its workspace only",
      ],
    },
    {
      id: "46.3",
      text: "`GET /api/notification-settings` and `PUT /api/notification-settings`: per person and workspace, each kind on the page and by mail, mails at once or as a digest.",
      proofs: [
        "test/notifications.test.ts › settings are those of a person in a workspace, and say what the role receives",
        "test/notification-mail.test.ts › a digest waits for its time, and a kind without mail is in none",
        "test/notification-mail.test.ts › what happens within five minutes is one more mail, without what was read meanwhile",
      ],
    },
    {
      id: "46.4",
      text: "A group is one mail to each member who may act and has a confirmed address, sent until the mail server accepts it; a removed member gets none, and a mail server that is down delays it.",
      proofs: [
        "test/notification-mail.test.ts › a group of failures is one mail to each member who may act and has a confirmed address",
        "test/notification-mail.test.ts › a failure after an hour of silence is a new notification and a new mail",
        "test/notification-mail.test.ts › a removed member gets no mail, not even a digest that was due",
        "test/notification-mail.test.ts › a mail that the server does not accept is sent later, once; a refused address is given up",
        "server/notifications/notification-writes.test.ts › a mail is sent by one process; one that dies or is refused leaves it for later",
      ],
    },
    {
      id: "46.5",
      text: "Notifications are made in the background from events that are stored with their facts: no crash loses or doubles one, a flood is one notification and one mail, and a workspace keeps its last 500.",
      proofs: [
        "test/notification-crash.test.ts › failures around a kill are counted once, in one notification and one mail",
        "test/notification-mail.test.ts › 10,000 failures that a crash left behind are one notification and one mail",
        "server/notifications/notification-writes.test.ts › events that two processes have read count once, also when each has read others too",
        "server/notifications/notification-writes.test.ts › one notification at a time is open for a group, and a day after its first event it ends",
        "server/notifications/notification-writes.test.ts › a workspace keeps its latest notifications, with their mails",
        "server/notifications/notification-writes.test.ts › events of a workspace that is being deleted make no notification",
        "server/notifications/limit-refusals.test.ts › a flood of refusals is one row for each workspace and limit, and a failed write is reported",
        "server/storage/engine/run-events.test.ts › a failed run and a request for approval are reported for every owner, except those of sub-workflows",
      ],
    },
    {
      id: "46.6",
      text: "Event subscriptions send each new notification once (`baton.notification.created`), and problems of connections and limits as events.",
      proofs: [
        "test/notifications.test.ts › a subscription to notifications gets one message for a group, and events of connections and limits are events",
      ],
    },
  ],
};
