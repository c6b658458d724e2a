import { createDueLoop, type DueLoop } from "../engine/worker/due-loop.ts";
import type { Clock } from "../lib/clock.ts";
import type { Mailer } from "../mail/mailer.ts";
import { MAX_ATTEMPTS, retryDelayMs } from "../outbox/backoff.ts";
import type { StepTitles } from "../workflows/step-titles.ts";
import { mailText } from "./mail-text.ts";
import type { NotificationMailStore } from "./notification-mail.sql.ts";
import type { Reader } from "./notification.sql.ts";

export interface MailLoopDeps {
  store: NotificationMailStore;
  mailer: Pick<Mailer, "send">;
  withStepTitles: StepTitles;
  clock: Clock;
  serviceUrl: string;
  onError(error: unknown, what: string): void;
}

/** Mails on their way at once. */
const AT_ONCE = 8;

/** Sends the mails of members that are due, each at least once. `close` waits for those on their way. */
export function createMailLoop({
  store,
  mailer,
  withStepTitles,
  clock,
  serviceUrl,
  onError,
}: MailLoopDeps): DueLoop {
  async function send(reader: Reader): Promise<void> {
    const mail = await store.take(reader, clock.now());
    if (mail === undefined) return;
    const content = await store.content(mail);
    if (content === undefined) return store.sent(mail, clock.now());
    const notifications = await withStepTitles(content.notifications);
    try {
      await mailer.send({ to: content.email, ...mailText({ ...content, notifications }, serviceUrl) });
    } catch (error) {
      const { attempt } = mail;
      if (!isRefused(error) && attempt < MAX_ATTEMPTS) {
        await store.reschedule(mail, clock.now() + retryDelayMs(attempt, { random: Math.random }));
        return;
      }
      onError(error, `mailing notifications to ${reader.userId}`);
    }
    await store.sent(mail, clock.now());
  }

  return createDueLoop({
    clock,
    async takeDue() {
      for (;;) {
        const due = await store.due(clock.now(), AT_ONCE);
        await Promise.all(due.map(send));
        if (due.length < AT_ONCE) return false;
      }
    },
    nextDue: store.nextDueAt,
    onError: (error) => onError(error, "mailing notifications"),
  });
}

/** The mail server will not accept it later either: an unknown mailbox, a refused sender. */
function isRefused(error: unknown): boolean {
  const { responseCode } = error as { responseCode?: unknown };
  return typeof responseCode === "number" && responseCode >= 500;
}
