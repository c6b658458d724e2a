import { isIP } from "node:net";
import type { ConnectionOptions } from "node:tls";
import type { ImapFlow, MailboxObject } from "imapflow";
import type { EmailSettings } from "../../../contract/triggers.ts";
import { AppError } from "../../lib/errors.ts";
import type { Egress } from "../../security/egress.ts";

/** Of one message; a longer one is cut. */
export const MAX_MESSAGE_BYTES = 10 * 1024 * 1024;
const CONNECT_TIMEOUT_MS = 15_000;
const SILENCE_TIMEOUT_MS = 30_000;

export interface MailboxDeps {
  egress: Pick<Egress, "resolve">;
  /** In tests: the certificate of their server. */
  tls?: ConnectionOptions | undefined;
}

export interface OpenMailbox {
  client: ImapFlow;
  mailbox: MailboxObject;
}

/**
 * Opens a mailbox, passes it to `work` and closes the connection. It connects to an address that the guard has checked, and
 * the certificate must be that of the host. Throws `egress_denied`, `connection_failed` or `email_failed`.
 */
export async function withMailbox<T>(
  { egress, tls }: MailboxDeps,
  settings: EmailSettings,
  { password, readOnly, signal }: { password: string; readOnly: boolean; signal: AbortSignal },
  work: (open: OpenMailbox) => Promise<T>,
): Promise<T> {
  const { host, port, security, user, mailbox: path } = settings;
  const address = await addressOf(egress, settings);
  // Loaded with the first mailbox: it takes a seventh of the CPU time of a start.
  const { ImapFlow } = await import("imapflow");
  const client = new ImapFlow({
    host: address,
    ...(isIP(host) === 0 && { servername: host }),
    port,
    secure: security === "tls",
    ...(security === "starttls" && { doSTARTTLS: true }),
    auth: { user, pass: password },
    clientInfo: { name: "baton" },
    logger: false,
    disableAutoIdle: true,
    connectionTimeout: CONNECT_TIMEOUT_MS,
    greetingTimeout: CONNECT_TIMEOUT_MS,
    socketTimeout: SILENCE_TIMEOUT_MS,
    maxLineLength: 1024 * 1024,
    maxLiteralSize: MAX_MESSAGE_BYTES + 1024,
    maxResponseSize: MAX_MESSAGE_BYTES + 2 * 1024 * 1024,
    tls: { ...tls, rejectUnauthorized: true, minVersion: "TLSv1.2" },
  });
  // The call in progress fails with the same error. Without a listener it would end the process.
  client.on("error", () => undefined);
  const close = () => client.close();
  signal.addEventListener("abort", close);
  try {
    signal.throwIfAborted();
    await client.connect().catch((error: unknown) => {
      throw connectFailure(error, `${host}:${port}`);
    });
    const mailbox = await client.mailboxOpen(path, { readOnly }).catch((error: unknown) => {
      throw new AppError("email_failed", `The mailbox "${path}" cannot be opened. Check its name.`, {
        cause: error,
      });
    });
    return await work({ client, mailbox });
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    throw error instanceof AppError ? error : connectFailure(error, `${host}:${port}`);
  } finally {
    signal.removeEventListener("abort", close);
    close();
  }
}

async function addressOf(egress: Pick<Egress, "resolve">, { host, port }: EmailSettings): Promise<string> {
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
