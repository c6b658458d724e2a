import type { Transporter } from "nodemailer";
import { AppError } from "../lib/errors.ts";
import type { Tracing } from "../telemetry/tracing.ts";
import { inMailSpan } from "./mail-span.ts";
import { NO_OUTSIDE_CONTENT, openSmtpTransport } from "./smtp-transport.ts";

export interface Mail {
  /** One address of an account. */
  to: string;
  subject: string;
  text: string;
}

export interface Mailer {
  /** False without SMTP_URL and SMTP_FROM. */
  readonly isConfigured: boolean;
  /** Throws `mail_not_configured`, or the error of the mail server. */
  send(mail: Mail): Promise<void>;
}

interface MailSettings {
  url: string | undefined;
  from: string | undefined;
}

/** Mails of the service itself, through the mail server of the operator. */
export function createMailer({ url, from }: MailSettings, tracing?: Tracing): Mailer {
  const mailer = createUntraced({ url, from });
  if (tracing === undefined || url === undefined) return mailer;
  const { hostname } = new URL(url);
  return {
    ...mailer,
    send: (mail) => inMailSpan(tracing, hostname, () => mailer.send(mail)),
  };
}

function createUntraced({ url, from }: MailSettings): Mailer {
  let transport: Promise<Transporter> | undefined;
  return {
    isConfigured: url !== undefined && from !== undefined,
    async send({ to, subject, text }) {
      if (url === undefined || from === undefined) throw mailNotConfigured();
      transport ??= openSmtpTransport(url);
      // An object, so that an address with a comma or brackets cannot become several.
      await (
        await transport
      ).sendMail({
        from,
        to: { name: "", address: to },
        subject,
        text,
        ...NO_OUTSIDE_CONTENT,
      });
    },
  };
}

export function mailNotConfigured(): AppError {
  return new AppError(
    "mail_not_configured",
    "This service cannot send mail: SMTP_URL and SMTP_FROM are not set. Ask the administrator.",
  );
}
