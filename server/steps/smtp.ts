import { isIP } from "node:net";
import type { Transporter } from "nodemailer";
import type { ConnectionSettings } from "../../contract/connections.ts";
import type { TestConnection } from "../connections/connection-app.ts";
import type { ConnectionUse } from "../connections/connection-use.ts";
import { AppError } from "../lib/errors.ts";
import { SMTP_TIMEOUTS } from "../mail/smtp-transport.ts";
import type { Egress } from "../security/egress.ts";

export interface SmtpDeps {
  egress: Pick<Egress, "resolve">;
  /** In tests: the certificate of their server. */
  trust?: { ca: string } | undefined;
}

/** The mail server of a connection, at an address that the guard has checked. */
export async function openSmtp({ egress, trust }: SmtpDeps, use: ConnectionUse): Promise<Transporter> {
  const { host, port, security, user } = use.settings as ConnectionSettings<"smtp">;
  const [address] = await egress.resolve(host, port).catch((error: unknown) => {
    throw error instanceof AppError ? error : connectFailure(error, host);
  });
  const { createTransport } = await import("nodemailer");
  return createTransport({
    host: address!.address,
    port,
    secure: security === "tls",
    requireTLS: security === "starttls",
    ignoreTLS: security === "none",
    auth: { user, pass: use.secretValues["password"] ?? "" },
    tls: { ...trust, ...(isIP(host) === 0 && { servername: host }), minVersion: "TLSv1.2" },
    ...SMTP_TIMEOUTS,
  });
}

/** Logs in and sends nothing. */
export function createSmtpTest(deps: SmtpDeps): TestConnection {
  return async (use, signal) => {
    const { host, user } = use.settings as ConnectionSettings<"smtp">;
    const transport = await openSmtp(deps, use);
    const close = () => transport.close();
    signal.addEventListener("abort", close);
    try {
      await transport.verify();
      return { account: user };
    } catch (error) {
      throw isLoginRefused(error) ? use.refused(host) : connectFailure(error, host);
    } finally {
      signal.removeEventListener("abort", close);
      close();
    }
  };
}

export function isLoginRefused(error: unknown): boolean {
  return (error as { code?: unknown }).code === "EAUTH";
}

/** The texts of the server may name internals, so only the kind of the failure is shown. */
function connectFailure(error: unknown, host: string): AppError {
  const { code } = error as { code?: unknown };
  const reason = typeof code === "string" && /^\w{1,60}$/.test(code) ? ` (${code})` : "";
  return new AppError("connection_failed", `The connection to ${host} failed${reason}.`, {
    retryable: true,
    cause: error,
  });
}
