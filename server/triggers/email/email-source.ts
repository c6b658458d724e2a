import type { ImapFlow } from "imapflow";
import { AppError } from "../../lib/errors.ts";
import type { RunFiles } from "../../run-files/run-files.ts";
import type { SecretBox } from "../../security/secret-box.ts";
import { triggerContext } from "../../security/seal-contexts.ts";
import type { TriggerSource } from "../source.ts";
import type { TriggerRecord } from "../trigger.sql.ts";
import type { FoundItem } from "../trigger-claims.sql.ts";
import { type MailboxDeps, MAX_MESSAGE_BYTES, withMailbox } from "./open-mailbox.ts";
import { type KeepAttachment, readMessage } from "./read-message.ts";

/** Few, because each may have megabytes. */
const MESSAGES_PER_CHECK = 20;
const LIMIT_CODES = new Set(["limit_reached", "payload_too_large"]);

/** UIDs only grow while `uidValidity` is the same; with another one the server has numbered its messages anew. */
interface EmailPosition {
  uidValidity: string;
  lastUid: number;
}

export interface EmailSourceDeps extends MailboxDeps {
  box: SecretBox;
  runFiles: Pick<RunFiles, "create">;
}

/** Reads messages of a mailbox over IMAP. */
export function createEmailSource({ box, runFiles, ...deps }: EmailSourceDeps): TriggerSource<"email"> {
  function passwordOf(trigger: TriggerRecord<"email">): string {
    const { password } = JSON.parse(box.open(trigger.secrets ?? "", triggerContext(trigger))) as {
      password: string;
    };
    return password;
  }

  /** Without a task: the run that starts with the message takes the files over. */
  const keeperOf =
    (ownerId: string): KeepAttachment =>
    async ({ content, ...description }) => {
      try {
        return await runFiles.create({ ownerId, taskId: null }, description, piecesOf(content));
      } catch (error) {
        // The message still starts its run: an owner without space must not lose it.
        if (error instanceof AppError && LIMIT_CODES.has(error.code)) return undefined;
        throw error;
      }
    };

  return {
    check: (trigger, { signal }) =>
      withMailbox(
        deps,
        trigger.settings,
        { password: passwordOf(trigger), readOnly: !trigger.settings.markSeen, signal },
        async ({ client, mailbox }) => {
          const uidValidity = String(mailbox.uidValidity);
          const before =
            trigger.position === null ? undefined : (JSON.parse(trigger.position) as EmailPosition);
          const beginsWithAll = before === undefined && trigger.settings.startWith === "all";
          if (before?.uidValidity !== uidValidity && !beginsWithAll) {
            const position: EmailPosition = { uidValidity, lastUid: mailbox.uidNext - 1 };
            return { items: [], position: JSON.stringify(position), hasMore: false };
          }
          const lastUid = before?.lastUid ?? 0;
          const uids = await uidsAfter(client, lastUid);
          const taken = uids.slice(0, MESSAGES_PER_CHECK);
          const items: FoundItem[] = [];
          for (const uid of taken) {
            const item = await fetchItem(client, uid, uidValidity, keeperOf(trigger.ownerId));
            if (item !== undefined) items.push(item);
          }
          // Before the items are stored: after a crash they are found again by their numbers, seen or not.
          if (trigger.settings.markSeen && taken.length > 0)
            await client.messageFlagsAdd(taken, [String.raw`\Seen`], { uid: true });
          const position: EmailPosition = { uidValidity, lastUid: taken.at(-1) ?? lastUid };
          return { items, position: JSON.stringify(position), hasMore: uids.length > taken.length };
        },
      ),

    sample: (trigger, signal) =>
      withMailbox(
        deps,
        trigger.settings,
        { password: passwordOf(trigger), readOnly: true, signal },
        async ({ client, mailbox }) => {
          if (mailbox.exists === 0) return undefined;
          const newest = await client.fetchOne("*", { uid: true });
          return newest ? fetchItem(client, newest.uid, String(mailbox.uidValidity)) : undefined;
        },
      ),
  };
}

/** Oldest first. */
async function uidsAfter(client: ImapFlow, lastUid: number): Promise<number[]> {
  const found = await client.search({ uid: `${lastUid + 1}:*` }, { uid: true });
  // `*` is the last message, even when it is older than the first number of the range.
  return (found || []).filter((uid) => uid > lastUid).toSorted((a, b) => a - b);
}

/** Undefined for a message that was deleted meanwhile. */
async function fetchItem(
  client: ImapFlow,
  uid: number,
  uidValidity: string,
  keep?: KeepAttachment,
): Promise<FoundItem | undefined> {
  const query = { uid: true, size: true, source: { maxLength: MAX_MESSAGE_BYTES } };
  const message = await client.fetchOne(String(uid), query, { uid: true });
  if (!message || message.source === undefined) return undefined;
  const input = await readMessage(message.source, (message.size ?? 0) > message.source.length, keep);
  return {
    key: `${uidValidity}:${uid}`,
    title:
      typeof input["subject"] === "string" && input["subject"] !== "" ? input["subject"] : "(no subject)",
    input: { uid, ...input },
  };
}

async function* piecesOf(content: Uint8Array): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(content);
}
