import { AppError } from "../../lib/errors.ts";

export type AddressSetting = "DATABASE_URL" | "DATABASE_DIRECT_URL" | "--to";

const ANY = undefined;
/** Query parameters that `pg` supports, with their valid values. It ignores all others silently. */
const PARAMETERS: Record<string, readonly string[] | typeof ANY> = {
  sslmode: ["disable", "prefer", "require", "verify-ca", "verify-full", "no-verify"],
  ssl: ["true"],
  sslrootcert: ANY,
  sslcert: ANY,
  sslkey: ANY,
  sslnegotiation: ["postgres", "direct"],
  uselibpqcompat: ["true"],
  host: ANY,
  port: ANY,
  user: ANY,
  password: ANY,
  application_name: ANY,
  options: ANY,
  statement_timeout: ANY,
  lock_timeout: ANY,
};

/**
 * Parameters that hosting providers add to their connection strings and that `pg` ignores. Dropping them is safe: the
 * certificate is always verified, a standby is always refused, and the connect timeout is set here.
 */
const IGNORED = ["channel_binding", "connect_timeout", "gssencmode", "target_session_attrs"];

/**
 * Returns the connection string as `pg` expects it. An unknown parameter is an error: with the typo `sslmod=require` the
 * password would cross the network unencrypted. `require`, `prefer` and `verify-ca` become `verify-full`: this major of
 * `pg` treats them alike and warns that the next one will not.
 */
export function readAddress(url: string, setting: AddressSetting): string {
  const address = new URL(url);
  for (const name of IGNORED) address.searchParams.delete(name);
  for (const [name, value] of address.searchParams) {
    if (!Object.hasOwn(PARAMETERS, name))
      throw wrongAddress(
        setting,
        `has the unknown parameter ${name}. Supported parameters: ${Object.keys(PARAMETERS).join(", ")}`,
      );
    const values = PARAMETERS[name];
    if (values !== ANY && !values.includes(value))
      throw wrongAddress(setting, `has ${name}=${value}; use one of ${values.join(", ")}`);
  }
  const { searchParams } = address;
  if (
    searchParams.get("uselibpqcompat") === null &&
    /^(prefer|require|verify-ca)$/.test(searchParams.get("sslmode") ?? "")
  )
    searchParams.set("sslmode", "verify-full");
  return address.href;
}

/** Host and port, without user and password: safe to print. */
export function hostAndPort(url: string): string {
  const { hostname, port, searchParams } = new URL(url);
  return `${searchParams.get("host") ?? (hostname || "localhost")}:${searchParams.get("port") ?? (port || "5432")}`;
}

export function wrongAddress(setting: AddressSetting, fact: string, cause?: unknown): AppError {
  return new AppError("database_address", `${setting} ${fact}.`, cause === undefined ? {} : { cause });
}
