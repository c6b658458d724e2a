import type { ErrorCode } from "../../../contract/errors.ts";
import { AppError, messageOf } from "../../lib/errors.ts";
import { type AddressSetting, hostAndPort, wrongAddress } from "./address.ts";

/** Node's error codes for certificates: DEPTH_ZERO_SELF_SIGNED_CERT, CERT_HAS_EXPIRED, ERR_TLS_CERT_ALTNAME_INVALID … */
const CERTIFICATE = /CERT|UNABLE_TO_VERIFY|UNABLE_TO_GET_ISSUER|^HOSTNAME_MISMATCH$/;
const ADVICE: Record<string, string> = {
  CERT_HAS_EXPIRED: "Renew it",
  ERR_TLS_CERT_ALTNAME_INVALID: "Use the host name that the certificate names",
};
const NAME_AUTHORITY = "Pass the certificate of its authority with sslrootcert=";
const HANDSHAKE = /^(ERR_SSL|EPROTO)/;
const FILE = /^(ENOENT|EACCES|EISDIR)$/;

const CODES: Record<string, ErrorCode> = {
  "28P01": "database_login_refused",
  "28000": "database_login_refused",
  "3D000": "database_missing",
  "42501": "database_no_rights",
};

/** Explains why the first connection failed, including a server that is not up yet. */
export function connectionRefused(error: unknown, url: string, setting: AddressSetting): AppError {
  const { code = "", severity, syscall } = error as { code?: string; severity?: string; syscall?: string };
  const reason = (messageOf(error) || code).replace(/\.$/, "");
  const refuse = (errorCode: ErrorCode, fact: string): AppError =>
    new AppError(errorCode, `The database server at ${hostAndPort(url)} (${setting}) ${fact}.`, {
      cause: error,
    });

  if (severity !== undefined)
    return refuse(CODES[code] ?? "database_refused", `refuses the connection: ${reason}`);
  if (error instanceof URIError || error instanceof TypeError || (FILE.test(code) && syscall !== "connect"))
    return wrongAddress(setting, `cannot be used: ${reason}`, error);
  if (HANDSHAKE.test(code))
    return refuse("database_tls", `cannot negotiate an encrypted connection: ${reason}`);
  if (CERTIFICATE.test(code))
    return refuse(
      "database_certificate",
      `presents a certificate that is not trusted: ${reason}. ${ADVICE[code] ?? NAME_AUTHORITY}, or use sslmode=no-verify, which encrypts but trusts any certificate`,
    );
  if (/does not support SSL/.test(reason))
    return refuse("database_tls", "does not support encrypted connections, which sslmode requires");
  return new AppError(
    "database_unreachable",
    `Cannot reach a PostgreSQL server at ${hostAndPort(url)} (${setting}): ${reason}. Check that the server runs, the host and port in ${setting}, and the firewall.`,
    { cause: error },
  );
}
