import { randomUUID } from "node:crypto";
import type { NotificationSink } from "../events/dispatch.ts";
import { createMailer } from "../mail/mailer.ts";
import type { Part, Platform } from "../platform/part.ts";
import type { WorkflowsPart } from "../workflows/part.ts";
import type { WorkspacesPart } from "../workspaces/part.ts";
import { deleteOwned } from "../storage/delete-owned.ts";
import { createBlockedApprovalStore } from "./blocked-approval.sql.ts";
import { createBlockedApprovals } from "./blocked-approvals.ts";
import { writeLimitRefusals } from "./limit-refusal.sql.ts";
import { createLimitRefusals } from "./limit-refusals.ts";
import { createMailLoop } from "./mail-loop.ts";
import { factsOf } from "./notification-facts.ts";
import { createNotificationMailStore } from "./notification-mail.sql.ts";
import { notificationRoutes } from "./notification.routes.ts";
import { createNotificationSettingsStore } from "./notification-settings.sql.ts";
import { createNotificationStore, type NotificationStore } from "./notification.sql.ts";
import { factData } from "./notification-view.ts";
import { dropOldest, insertNotificationDelivery, notificationWrites } from "./notification-writes.sql.ts";
import { createNotifications } from "./notifications.ts";

export interface NotificationsPart extends Part {
  /** For the loop that moves events. */
  sink: NotificationSink;
  /** Calls `listener` with a workspace whose notifications have changed; empty when changes may have been missed. */
  subscribe(listener: (workspaceId: string) => void): void;
  prune: NotificationStore["prune"];
}

const CHANNEL = "notification";

/** Notifications of members on the page and by mail, made from stored events. */
export function createNotificationsPart(
  { config, clock, db, limits, report, tracing }: Platform,
  { listMembers, memberships }: Pick<WorkspacesPart, "listMembers" | "memberships">,
  { withStepTitles }: Pick<WorkflowsPart, "withStepTitles">,
): NotificationsPart {
  const { serviceUrl } = config;
  const mailer = createMailer(config.smtp, tracing);
  const store = createNotificationStore(db);
  const mails = createMailLoop({
    store: createNotificationMailStore(db),
    mailer,
    withStepTitles,
    clock,
    serviceUrl,
    onError: report,
  });
  const blocked = createBlockedApprovals({
    store: createBlockedApprovalStore(db),
    listMembers,
    clock,
    onError: (error) => report(error, "finding approvals without approvers"),
  });
  const refusals = createLimitRefusals({
    write: (counted) => writeLimitRefusals(db, counted, clock.now()),
    onError: (error) => report(error, "storing refused work"),
  });
  limits.onRefusal(refusals.record);
  // Every message is unique: the database drops a repeated one.
  const publish = (workspaceId: string): void => db.notify(CHANNEL, `${workspaceId} ${randomUUID()}`);
  const notifications = createNotifications({
    store,
    settings: createNotificationSettingsStore(db),
    withStepTitles,
    clock,
    hasMail: mailer.isConfigured,
    onChanged: publish,
  });
  return {
    sink: {
      collect(events, now) {
        const facts = factsOf(events, now);
        const owners = [...new Set(facts.map(({ ownerId }) => ownerId))];
        const withMail = mailer.isConfigured;
        return {
          writes: [
            ...facts.flatMap((fact) => notificationWrites(fact, { now, withMail })),
            ...owners.map(dropOldest),
          ],
          created: facts.map((fact) => {
            const { id, ownerId, workflowId, firstAt } = fact;
            const loadData = async () => factData((await withStepTitles([fact]))[0]!, serviceUrl);
            return { id, ownerId, workflowId, at: firstAt, loadData };
          }),
        };
      },
      insertDelivery: insertNotificationDelivery,
      changed(ownerIds) {
        ownerIds.forEach(publish);
        if (ownerIds.length > 0 && mailer.isConfigured) mails.poll();
      },
    },
    subscribe(listener) {
      void db
        .listen(CHANNEL, (message) => listener(message.split(" ")[0] ?? ""))
        .catch((error: unknown) => report(error, "listening for notifications"));
    },
    prune: store.prune,
    routes: (http) => notificationRoutes(http, notifications),
    start() {
      if (mailer.isConfigured) mails.poll();
      blocked.poll();
      memberships.onChanged(blocked.membersChanged);
    },
    eraseOwner: (ownerId, batches) =>
      batches.deleteAll((limit) => deleteOwned(db, "notification", ownerId, limit)),
    async stop() {
      await Promise.all([mails.close(), blocked.close(), refusals.close()]);
    },
  };
}
