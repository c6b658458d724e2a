import type { JsonValue } from "../../../contract/placeholders/json-value.ts";
import type { ConnectionSettings } from "../../../contract/connections.ts";
import type { ConnectionUses } from "../../connections/connection-uses.ts";
import { type Clock, systemClock } from "../../lib/clock.ts";
import { AppError, notFound } from "../../lib/errors.ts";
import type { RunFiles } from "../../run-files/run-files.ts";
import type { SecretBox } from "../../security/secret-box.ts";
import { triggerContext } from "../../security/seal-contexts.ts";
import type { TriggerSource } from "../source.ts";
import type { TriggerRecord } from "../trigger.sql.ts";
import type { FoundItem } from "../trigger-claims.sql.ts";
import {
  isLoginRefused,
  type MailboxAccess,
  type MailboxDeps,
  MAX_MESSAGE_BYTES,
  type OpenMailbox,
  PART_BYTES,
  withMailbox,
} from "./open-mailbox.ts";
import type { AttachedFile } from "./read-message.ts";
import { type MessageReader, openMessageReader } from "./message-reader.ts";

/** A check ends early after these, and the next one continues: a large or slow mailbox must not use up the time of a check. */
const MESSAGES_PER_CHECK = 20;
const CHARACTERS_PER_CHECK = 4_000_000;
const MS_PER_CHECK = 20_000;
/** A message whose transfer takes longer is cut. */
const MS_PER_MESSAGE = 15_000;
/** The server lists what it found in one line, which MAX_LINE_BYTES limits. */
const UIDS_PER_SEARCH = 5000;
const LIMIT_CODES = new Set(["limit_reached", "payload_too_large"]);

/** UIDs only grow while `uidValidity` is the same; with another one the server has numbered its messages anew. */
interface EmailPosition {
  uidValidity: string;
  lastUid: number;
}

export interface EmailSourceDeps extends MailboxDeps {
  box: SecretBox;
  runFiles: Pick<RunFiles, "create">;
  /** Without it no trigger can name a connection. */
  useConnection?: ConnectionUses["use"];
  clock?: Pick<Clock, "monotonic">;
}

/** Stores a file for the run and refers to it, or describes one that is not kept. */
type ToAttachment = (file: AttachedFile) => Promise<JsonValue>;

/** Reads messages of a mailbox over IMAP. */
export function createEmailSource({
  box,
  runFiles,
  clock = systemClock,
  useConnection,
  ...deps
}: EmailSourceDeps): TriggerSource<"email"> {
  function ownAccess(trigger: TriggerRecord<"email">): MailboxAccess {
    const { host, port, security, user } = trigger.settings;
    const { password } = JSON.parse(box.open(trigger.secrets ?? "", triggerContext(trigger))) as {
      password: string;
    };
    return { host, port, security, user, password };
  }

  /** Opens the mailbox with the password of the trigger, or with its connection. */
  async function open<T>(
    trigger: TriggerRecord<"email">,
    { readOnly, signal }: { readOnly: boolean; signal: AbortSignal },
    work: (open: OpenMailbox) => Promise<T>,
  ): Promise<T> {
    const { mailbox, connection } = trigger.settings;
    const options = { mailbox, readOnly, signal };
    if (connection === null) return withMailbox(deps, ownAccess(trigger), options, work);
    const use = await useConnection?.(trigger.ownerId, connection);
    if (use?.kind !== "imap") throw notFound("connection");
    const settings = use.settings as ConnectionSettings<"imap">;
    const access = { ...settings, password: use.secretValues["password"] ?? "" };
    try {
      const result = await withMailbox(deps, access, options, work);
      await use.succeeded();
      return result;
    } catch (error) {
      if (!isLoginRefused(error)) throw error;
      await use.renew();
      throw use.refused(settings.host);
    }
  }

  /** Without a task: the run that starts with the message takes the files over. */
  const keeperOf =
    (ownerId: string): ToAttachment =>
    async (file) => {
      const { content, ...description } = file;
      try {
        return { ...(await runFiles.create({ ownerId, taskId: null }, description, piecesOf(content))) };
      } catch (error) {
        // The message still starts its run: an owner without space must not lose it.
        if (error instanceof AppError && LIMIT_CODES.has(error.code)) return describe(file);
        throw error;
      }
    };

  /** Undefined for a message that was deleted meanwhile. */
  async function fetchItem(
    opened: OpenMailbox,
    uid: number,
    {
      reader,
      toAttachment,
      signal,
    }: { reader: MessageReader; toAttachment: ToAttachment; signal: AbortSignal },
  ): Promise<FoundItem | undefined> {
    const message = await fetchSource(opened, uid, createTimer(MS_PER_MESSAGE));
    if (message === undefined) return undefined;
    const { fields, files } = await reader.read(message.source, message.isCut, signal);
    const attachments: JsonValue[] = [];
    for (const file of files) attachments.push(await toAttachment(file));
    const title = typeof fields["subject"] === "string" ? fields["subject"] : "";
    return {
      key: `${opened.mailbox.uidValidity}:${uid}`,
      title: title === "" ? "(no subject)" : title,
      input: { uid, ...fields, attachments },
    };
  }

  /** Returns a function that is true when the time is over. */
  function createTimer(ms: number): () => boolean {
    const end = clock.monotonic() + ms;
    return () => clock.monotonic() >= end;
  }

  return {
    check: (trigger, { signal }) =>
      open(trigger, { readOnly: !trigger.settings.markSeen, signal }, async (opened) => {
        const { client, mailbox, expectBytes } = opened;
        const uidValidity = String(mailbox.uidValidity);
        const before =
          trigger.position === null ? undefined : (JSON.parse(trigger.position) as EmailPosition);
        const beginsWithAll = before === undefined && trigger.settings.startWith === "all";
        if (before?.uidValidity !== uidValidity && !beginsWithAll) {
          const position: EmailPosition = { uidValidity, lastUid: mailbox.uidNext - 1 };
          return { items: [], position: JSON.stringify(position), hasMore: false };
        }
        const isOver = createTimer(MS_PER_CHECK);
        const range = { after: before?.lastUid ?? 0, before: mailbox.uidNext };
        const { uids, searchedTo } = await findUids(opened, range, isOver);
        const taken: number[] = [];
        const items: FoundItem[] = [];
        let characters = 0;
        const toAttachment = keeperOf(trigger.ownerId);
        await withReader(async (reader) => {
          for (const uid of uids.slice(0, MESSAGES_PER_CHECK)) {
            const item = await fetchItem(opened, uid, { reader, toAttachment, signal });
            taken.push(uid);
            if (item !== undefined) {
              items.push(item);
              characters += lengthOf(item);
            }
            if (characters >= CHARACTERS_PER_CHECK || isOver()) return;
          }
        });
        // Before the items are stored: after a crash they are found again by their numbers, seen or not.
        expectBytes(0);
        if (trigger.settings.markSeen && taken.length > 0)
          await client.messageFlagsAdd(taken, [String.raw`\Seen`], { uid: true });
        const lastUid = uids.length > taken.length ? (taken.at(-1) ?? range.after) : searchedTo;
        const position: EmailPosition = { uidValidity, lastUid };
        return { items, position: JSON.stringify(position), hasMore: lastUid + 1 < mailbox.uidNext };
      }),

    sample: (trigger, signal) =>
      open(trigger, { readOnly: true, signal }, async (opened) => {
        if (opened.mailbox.exists === 0) return undefined;
        opened.expectBytes(0);
        const newest = await opened.client.fetchOne("*", { uid: true });
        if (!newest) return undefined;
        const toAttachment = (file: AttachedFile) => Promise.resolve(describe(file));
        return withReader((reader) => fetchItem(opened, newest.uid, { reader, toAttachment, signal }));
      }),
  };
}

/** The oldest messages of a range, oldest first. UIDs have gaps where messages were deleted, so a search may find none. */
async function findUids(
  { client, expectBytes }: OpenMailbox,
  range: { after: number; before: number },
  isOver: () => boolean,
): Promise<{ uids: number[]; searchedTo: number }> {
  let searchedTo = range.after;
  let uids: number[] = [];
  while (uids.length === 0 && searchedTo + 1 < range.before && !isOver()) {
    const first = searchedTo + 1;
    searchedTo = Math.min(searchedTo + UIDS_PER_SEARCH, range.before - 1);
    expectBytes(0);
    const found = await client.search({ uid: `${first}:${searchedTo}` }, { uid: true });
    // The client does not throw when the server refuses a search. The messages in this range would be skipped.
    if (!found)
      throw new AppError("email_failed", "The mail server refused to search the mailbox.", {
        retryable: true,
      });
    uids = found.filter((uid) => uid >= first && uid <= searchedTo).toSorted((a, b) => a - b);
  }
  return { uids, searchedTo };
}

/** Undefined for a message that was deleted meanwhile. */
async function fetchSource(
  { client, expectBytes }: OpenMailbox,
  uid: number,
  isOver: () => boolean,
): Promise<{ source: Uint8Array; isCut: boolean } | undefined> {
  const parts: Buffer[] = [];
  let length = 0;
  for (;;) {
    const maxLength = Math.min(PART_BYTES, MAX_MESSAGE_BYTES - length);
    const query = { uid: true, size: true, source: { start: length, maxLength } };
    expectBytes(maxLength);
    const messages = await client.fetchAll(String(uid), query, { uid: true });
    // The server also reports what others change in the mailbox.
    const message = messages.find((found) => found.uid === uid && found.source !== undefined);
    if (message?.source === undefined) return undefined;
    parts.push(message.source);
    length += message.source.length;
    const isCut = (message.size ?? 0) > length;
    if (message.source.length < maxLength || !isCut || length >= MAX_MESSAGE_BYTES || isOver())
      return { source: Buffer.concat(parts), isCut };
  }
}

async function withReader<T>(work: (reader: MessageReader) => Promise<T>): Promise<T> {
  const reader = openMessageReader();
  try {
    return await work(reader);
  } finally {
    await reader.close();
  }
}

/** The length of the bodies, which are most of a message. */
function lengthOf({ input: { text, html } }: FoundItem): number {
  return String(text).length + String(html).length;
}

function describe({ name, contentType, content }: AttachedFile): JsonValue {
  return { name, contentType, size: content.length };
}

async function* piecesOf(content: Uint8Array): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(content);
}
