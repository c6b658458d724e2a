import { isIP } from "node:net";
import type { ConnectionOptions } from "node:tls";
import type { ImapFlow, MailboxObject } from "imapflow";
import type { ConnectionSettings } from "../../../contract/connections.ts";
import type { TestConnection } from "../../connections/connection-app.ts";
import { AppError } from "../../lib/errors.ts";
import type { Egress } from "../../security/egress.ts";

/** Per message; a longer one is cut. */
export const MAX_MESSAGE_BYTES = 10 * 1024 * 1024;
/** A line is parsed at once: one of a megabyte blocked the event loop for 1.8 s. Messages are not sent in lines. */
const MAX_LINE_BYTES = 64 * 1024;
/** Of a message, what one request asks for. */
export const PART_BYTES = 512 * 1024;
/** What a server may send without being asked, such as changes of flags, and all that it sends until the mailbox is open. */
const UNASKED_BYTES = 256 * 1024;
const CONNECT_TIMEOUT_MS = 15_000;
const SILENCE_TIMEOUT_MS = 30_000;

export interface MailboxDeps {
  egress: Pick<Egress, "resolve">;
  /** In tests: the certificate of their server. */
  tls?: ConnectionOptions | undefined;
}

/** Where a mailbox is, and how to log in. */
export interface MailboxAccess extends ConnectionSettings<"imap"> {
  password: string;
}

export interface OpenMailbox {
  client: ImapFlow;
  mailbox: MailboxObject;
  /** Called before a command: the connection is closed when the server sends much more than these bytes. */
  expectBytes(bytes: number): void;
}

/**
 * Opens a mailbox, passes it to `work` and closes the connection. It connects to an address that the guard has checked, and
 * the certificate must be that of the host. Throws `egress_denied`, `connection_failed` or `email_failed`.
 */
export async function withMailbox<T>(
  { egress, tls }: MailboxDeps,
  access: MailboxAccess,
  { mailbox: path, readOnly, signal }: { mailbox: string; readOnly: boolean; signal: AbortSignal },
  work: (open: OpenMailbox) => Promise<T>,
): Promise<T> {
  return withLogin({ egress, tls }, access, signal, async (client, expectBytes) => {
    const mailbox = await client.mailboxOpen(path, { readOnly }).catch((error: unknown) => {
      throw new AppError("email_failed", `The mailbox "${path}" cannot be opened. Check its name.`, {
        cause: error,
      });
    });
    // Every server has to send it. The type of the client says that it always did.
    if (!Number.isSafeInteger(mailbox.uidNext))
      throw new AppError("email_failed", "The mail server does not number its messages (no UIDNEXT).");
    return work({ client, mailbox, expectBytes });
  });
}

/** Logs in and reads nothing. */
export function createImapTest(deps: MailboxDeps): TestConnection {
  return async (use, signal) => {
    const settings = use.settings as ConnectionSettings<"imap">;
    const access = { ...settings, password: use.secretValues["password"] ?? "" };
    await withLogin(deps, access, signal, () => Promise.resolve()).catch((error: unknown) => {
      throw isLoginRefused(error) ? use.refused(settings.host) : error;
    });
    return { account: settings.user };
  };
}

export function isLoginRefused(error: unknown): boolean {
  const { cause } = error as { cause?: { authenticationFailed?: boolean } };
  return cause?.authenticationFailed === true;
}

async function withLogin<T>(
  { egress, tls }: MailboxDeps,
  { host, port, security, user, password }: MailboxAccess,
  signal: AbortSignal,
  work: (client: ImapFlow, expectBytes: OpenMailbox["expectBytes"]) => Promise<T>,
): Promise<T> {
  const address = await addressOf(egress, host, port);
  // Loaded with the first mailbox: it takes a seventh of the CPU time of a start.
  const { ImapFlow } = await import("imapflow");
  const client = new ImapFlow({
    host: address,
    ...(isIP(host) === 0 && { servername: host }),
    port,
    secure: security === "tls",
    ...(security !== "tls" && { doSTARTTLS: security === "starttls" }),
    auth: { user, pass: password },
    clientInfo: { name: "baton" },
    logger: false,
    emitLogs: true,
    disableAutoIdle: true,
    connectionTimeout: CONNECT_TIMEOUT_MS,
    greetingTimeout: CONNECT_TIMEOUT_MS,
    socketTimeout: SILENCE_TIMEOUT_MS,
    maxLineLength: MAX_LINE_BYTES,
    maxLiteralSize: PART_BYTES + 1024,
    maxResponseSize: PART_BYTES + UNASKED_BYTES,
    tls: { ...tls, rejectUnauthorized: true, minVersion: "TLSv1.2" },
  });
  // The call in progress fails with the same error. Without a listener it would end the process.
  client.on("error", () => undefined);
  const received = limitReceived(client);
  const close = () => client.close();
  signal.addEventListener("abort", close);
  try {
    signal.throwIfAborted();
    await client.connect().catch((error: unknown) => {
      throw connectFailure(error, `${host}:${port}`);
    });
    return await work(client, received.expectBytes);
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (received.isTooMuch())
      throw new AppError("email_failed", "The mail server sent more than it was asked for.", {
        cause: error,
      });
    throw error instanceof AppError ? error : connectFailure(error, `${host}:${port}`);
  } finally {
    signal.removeEventListener("abort", close);
    close();
  }
}

/** The client keeps all responses to a command until it ends: a server that sends them without end would fill the memory. */
function limitReceived(client: ImapFlow) {
  let limit = UNASKED_BYTES;
  let isTooMuch = false;
  // With each response. What is received of the next one is limited by its own size.
  client.on("log", () => {
    if (isTooMuch || client.stats().received <= limit) return;
    isTooMuch = true;
    client.close();
  });
  return {
    expectBytes: (bytes: number) => void (limit = client.stats().received + bytes + UNASKED_BYTES),
    isTooMuch: () => isTooMuch,
  };
}

async function addressOf(egress: Pick<Egress, "resolve">, host: string, port: number): Promise<string> {
  try {
    const [first] = await egress.resolve(host, port);
    return first!.address;
  } catch (error) {
    throw error instanceof AppError ? error : connectFailure(error, `${host}:${port}`);
  }
}

/** The texts of the server may name internals, so only what the user can act on is shown. */
function connectFailure(error: unknown, target: string): AppError {
  const { authenticationFailed, code } = error as { authenticationFailed?: boolean; code?: string };
  if (authenticationFailed === true)
    return new AppError("email_failed", "The mail server refused the login. Check user and password.", {
      cause: error,
    });
  const reason = typeof code === "string" && /^[\w-]{1,60}$/.test(code) ? ` (${code})` : "";
  return new AppError("connection_failed", `The connection to ${target} failed${reason}.`, {
    retryable: true,
    cause: error,
  });
}
