import { createHash } from "node:crypto";
import type { Transporter } from "nodemailer";
import type { JsonValue } from "../../contract/placeholders/json-value.ts";
import type { ConnectionSettings } from "../../contract/connections.ts";
import type { ConnectionUse } from "../connections/connection-use.ts";
import type { ConnectionUses } from "../connections/connection-uses.ts";
import { withConnection } from "../databases/use-connection.ts";
import type { StepCall, StepOutput, StepRunner } from "../engine/run/step-runner.ts";
import { AppError, messageOf, notFound } from "../lib/errors.ts";
import type { RunFiles } from "../run-files/run-files.ts";
import type { Limits } from "../limits/limits.ts";
import { inMailSpan } from "../mail/mail-span.ts";
import { NO_OUTSIDE_CONTENT, openSmtpTransport } from "../mail/smtp-transport.ts";
import type { Tracing } from "../telemetry/tracing.ts";
import { openAttachments } from "./email-attachments.ts";
import { isLoginRefused, openSmtp, type SmtpDeps } from "./smtp.ts";
import { describeValue, invalidField, permanentFailure } from "./step-failure.ts";

const CONTROL = /\p{Cc}+/u;
const ADDRESS = /^[^\s<>()[\]@,;:"\\]+@[^\s<>()[\]@,;:"\\]+$/;

export interface EmailRunnerDeps extends Partial<SmtpDeps> {
  /** The operator's server, not a user's choice, so it bypasses the egress guard. */
  smtp: { url: string | undefined; from: string | undefined };
  limits: Pick<Limits, "exceeds" | "max" | "hourly" | "refuse">;
  runFiles: Pick<RunFiles, "find" | "open">;
  /** Without it no step can name a connection. */
  connections?: Pick<ConnectionUses, "use">;
  tracing?: Tracing | undefined;
}

export function createEmailRunner(deps: EmailRunnerDeps): StepRunner {
  const { smtp, limits, runFiles, connections, egress, trust, tracing } = deps;
  const hourly = limits.hourly("emails");
  let transport: Promise<Transporter> | undefined;

  return {
    async run(call) {
      if (call.fields["connection"] === undefined || call.fields["connection"] === null)
        return sendFromInstance(call);
      if (connections === undefined || egress === undefined) throw notFound("connection");
      const open = (use: ConnectionUse) => openSmtp({ egress, trust }, use);
      return withConnection(connections, call, "smtp", (use) => sendFromConnection(call, use, open));
    },
  };

  async function sendFromInstance(call: StepCall): Promise<StepOutput> {
    const { url, from } = smtp;
    if (url === undefined) throw notConfigured("SMTP_URL", "smtp://user:password@mail.example.com:587");
    if (from === undefined) throw notConfigured("SMTP_FROM", "Baton <baton@example.com>");
    const host = new URL(url).hostname;
    return send(call, { from, host }, () => (transport ??= openSmtpTransport(url))).catch(
      withoutServerAddress,
    );
  }

  async function sendFromConnection(
    call: StepCall,
    use: ConnectionUse,
    open: (use: ConnectionUse) => Promise<Transporter>,
  ): Promise<StepOutput> {
    const { user, from = user, host } = use.settings as ConnectionSettings<"smtp">;
    if (!from.includes("@"))
      throw invalidField("connection", "has no sender: its user is not an address. Set its `from`");
    let opened: Transporter | undefined;
    try {
      return await send(call, { from, host }, async () => (opened = await open(use)));
    } catch (error) {
      const { cause } = error as { cause?: unknown };
      throw cause !== undefined && isLoginRefused(cause) ? use.refused(host) : error;
    } finally {
      opened?.close();
    }
  }

  async function send(
    call: StepCall,
    { from, host }: { from: string; host: string },
    open: () => Promise<Transporter>,
  ): Promise<StepOutput> {
    const message = readMessage(call, limits);
    hourly.assertLeft(call.ownerId);
    hourly.add(call.ownerId, 1);
    const messageId = stableMessageId(call.idempotencyKey, from);
    const sent = await inMailSpan(tracing, host, async () => {
      const opened = await open();
      const attachments = await openAttachments(call, runFiles);
      const mail = { from, messageId, ...message, attachments: attachments.list, ...NO_OUTSIDE_CONTENT };
      call.assertLease();
      return Promise.race([opened.sendMail(mail), aborted(call.signal)])
        .catch(failed)
        .finally(attachments.close);
    });
    const rejected = (sent.rejected as unknown[]).map(String);
    return { output: { messageId }, ...(rejected.length > 0 ? { extra: { rejected } } : {}) };
  }
}

function readMessage({ fields }: StepCall, limits: EmailRunnerDeps["limits"]) {
  const subject = textOf(fields["subject"]).replace(new RegExp(CONTROL, "gu"), " ");
  const [text, html] = [textOf(fields["text"]), textOf(fields["html"])];
  if (text === "" && html === "") throw invalidField("text", "and html are both empty");
  return { ...addressees(fields, limits), subject, ...(text && { text }), ...(html && { html }) };
}

/** Always text: nodemailer treats an object as an instruction, such as to attach a file. */
function textOf(value: JsonValue | undefined): string {
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value, null, 2);
}

/** Without `to`, the recipients in `bcc` do not see each other. */
function addressees({ to, bcc }: StepCall["fields"], limits: EmailRunnerDeps["limits"]) {
  if (to !== undefined || bcc === undefined) return { to: recipients(to, limits) };
  return { to: "undisclosed-recipients:;", bcc: recipients(bcc, limits) };
}

/** A text may contain several comma-separated addresses. Each entry of a list is one address. */
function recipients(to: JsonValue | undefined, limits: EmailRunnerDeps["limits"]): Recipient[] {
  const entries = typeof to === "string" ? to.split(",") : Array.isArray(to) ? to : [to ?? null];
  if (entries.length === 0) throw invalidField("to", "must have at least one address");
  if (limits.exceeds("email_recipients", entries.length))
    throw limits.refuse(
      "email_recipients",
      `An email can have at most ${limits.max("email_recipients")} recipients, not ${entries.length}.`,
    );
  return entries.map((entry) => {
    if (typeof entry !== "string")
      throw invalidField("to", `must be an address or a list of addresses, not ${describeValue(entry)}`);
    return recipient(entry.trim());
  });
}

interface Recipient {
  name: string;
  address: string;
}

/** `a@example.com` or `Ada Lovelace <a@example.com>`, parsed here so that nodemailer cannot read more addresses from it. */
function recipient(entry: string): Recipient {
  const open = entry.endsWith(">") ? entry.lastIndexOf("<") : -1;
  const address = open < 0 ? entry : entry.slice(open + 1, -1).trim();
  const name =
    open < 0
      ? ""
      : entry
          .slice(0, open)
          .trim()
          .replace(/^"(.*)"$/, "$1");
  // A line break would inject a header.
  if (!ADDRESS.test(address) || CONTROL.test(entry))
    throw invalidField("to", `must be an email address, not ${JSON.stringify(entry.slice(0, 100))}`);
  return { name, address };
}

/** The same id for every attempt of this step, so that a mail server or client can drop duplicates. */
function stableMessageId(idempotencyKey: string, from: string): string {
  const domain = /@([\w.-]+)/.exec(from)?.[1] ?? "baton.invalid";
  const id = createHash("sha256").update(idempotencyKey).digest("hex").slice(0, 32);
  return `<${id}@${domain}>`;
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const stop = () => reject(new AppError("aborted", "Sending the email was cancelled."));
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  });
}

function failed(error: unknown): never {
  if (error instanceof AppError) throw error;
  const what = isReply(error) ? "The mail server rejected the email" : "The email was not sent";
  throw new AppError("email_failed", `${what}: ${messageOf(error)}`, { cause: error });
}

/** Errors of the network name the address of the operator's mail server, which is not for users. */
function withoutServerAddress(error: unknown): never {
  const { cause } = error as { cause?: { code?: unknown } };
  if (cause === undefined || isReply(cause)) throw error;
  throw new AppError(
    "email_failed",
    `The mail server of this service cannot be reached (${String(cause.code)}). Ask the administrator.`,
    { cause },
  );
}

const isReply = (error: unknown): boolean => typeof (error as { response?: unknown }).response === "string";

function notConfigured(setting: string, example: string): AppError {
  return permanentFailure(
    "smtp_not_configured",
    `SMTP is not configured. Set ${setting}, for example ${example}.`,
  );
}
