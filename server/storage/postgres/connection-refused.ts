import type { ErrorCode } from "../../../contract/errors.ts";
import { AppError, messageOf } from "../../lib/errors.ts";
import { type AddressSetting, placeOf, wrongAddress } from "./address.ts";

/** What the certificate is, in Node's words: DEPTH_ZERO_SELF_SIGNED_CERT, CERT_HAS_EXPIRED, ERR_TLS_CERT_ALTNAME_INVALID … */
const CERTIFICATE = /CERT|UNABLE_TO_VERIFY|UNABLE_TO_GET_ISSUER|^HOSTNAME_MISMATCH$/;
const ADVICE: Record<string, string> = {
  CERT_HAS_EXPIRED: "Renew it",
  ERR_TLS_CERT_ALTNAME_INVALID: "Name the server as its certificate does",
};
const NAME_AUTHORITY = "Name the file of the authority that signed it with sslrootcert=";
const HANDSHAKE = /^(ERR_SSL|EPROTO)/;
const FILE = /^(ENOENT|EACCES|EISDIR)$/;

const CODES: Record<string, ErrorCode> = {
  "28P01": "database_login_refused",
  "28000": "database_login_refused",
  "3D000": "database_missing",
  "42501": "database_no_rights",
};

/** What is wrong when the very first connection fails. A server that is not there yet is told as such, too. */
export function connectionRefused(error: unknown, url: string, setting: AddressSetting): AppError {
  const { code = "", severity, syscall } = error as { code?: string; severity?: string; syscall?: string };
  const said = (messageOf(error) || code).replace(/\.$/, "");
  const refuse = (reason: ErrorCode, fact: string): AppError =>
    new AppError(reason, `The database server at ${placeOf(url)} (${setting}) ${fact}.`, { cause: error });

  if (severity !== undefined)
    return refuse(CODES[code] ?? "database_refused", `refuses the connection: ${said}`);
  if (error instanceof URIError || error instanceof TypeError || (FILE.test(code) && syscall !== "connect"))
    return wrongAddress(setting, `cannot be used: ${said}`, error);
  if (HANDSHAKE.test(code)) return refuse("database_tls", `cannot agree on an encrypted connection: ${said}`);
  if (CERTIFICATE.test(code))
    return refuse(
      "database_certificate",
      `shows a certificate that is not trusted: ${said}. ${ADVICE[code] ?? NAME_AUTHORITY}, or take sslmode=no-verify, which encrypts and trusts anybody`,
    );
  if (/does not support SSL/.test(said))
    return refuse("database_tls", "takes no encrypted connections, which sslmode asks for");
  return new AppError(
    "database_unreachable",
    `No PostgreSQL server can be reached at ${placeOf(url)} (${setting}): ${said}.`,
    { cause: error },
  );
}
