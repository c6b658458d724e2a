import type { Transporter } from "nodemailer";

const CONNECT_TIMEOUT_MS = 15_000;
const SILENCE_TIMEOUT_MS = 60_000;
export const SMTP_TIMEOUTS = {
  connectionTimeout: CONNECT_TIMEOUT_MS,
  greetingTimeout: CONNECT_TIMEOUT_MS,
  socketTimeout: SILENCE_TIMEOUT_MS,
};

/** Loads the mail library with the first email, so that a service without email does not pay for it. */
export async function openSmtpTransport(url: string): Promise<Transporter> {
  const { createTransport } = await import("nodemailer");
  return createTransport({ url, ...SMTP_TIMEOUTS });
}

/** nodemailer would otherwise fetch `{path: …}` and `{href: …}` from this machine and network. */
export const NO_OUTSIDE_CONTENT = { disableFileAccess: true, disableUrlAccess: true };
