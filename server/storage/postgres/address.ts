import { AppError } from "../../lib/errors.ts";

export type AddressSetting = "DATABASE_URL" | "DATABASE_DIRECT_URL";

const ANY = undefined;
/** What `pg` heeds after the question mark, and which values it knows. The rest it passes over without a word. */
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
 * What hosts put into the addresses that they hand out and `pg` passes over: the certificate is checked in any case, a
 * standby is refused in any case, and how long a connection may take is ours to say.
 */
const HARMLESS = ["channel_binding", "connect_timeout", "gssencmode", "target_session_attrs"];

/**
 * An address as `pg` takes it. A parameter that nobody heeds is refused: with `sslmod=require` the password would go over
 * the network for all to read. `require`, `prefer` and `verify-ca` check the certificate as `verify-full` does; today's
 * `pg` does so and warns that the next will not, so it is asked for what we mean.
 */
export function readAddress(url: string, setting: AddressSetting): string {
  const address = new URL(url);
  for (const name of HARMLESS) address.searchParams.delete(name);
  for (const [name, value] of address.searchParams) {
    if (!Object.hasOwn(PARAMETERS, name))
      throw wrongAddress(
        setting,
        `has the parameter ${name}, which is not known. Known are ${Object.keys(PARAMETERS).join(", ")}`,
      );
    const values = PARAMETERS[name];
    if (values !== ANY && !values.includes(value))
      throw wrongAddress(setting, `says ${name}=${value}; it must be one of ${values.join(", ")}`);
  }
  const { searchParams } = address;
  if (
    searchParams.get("uselibpqcompat") === null &&
    /^(prefer|require|verify-ca)$/.test(searchParams.get("sslmode") ?? "")
  )
    searchParams.set("sslmode", "verify-full");
  return address.href;
}

/** Where it leads, without who comes and what he knows. */
export function placeOf(url: string): string {
  const { hostname, port, searchParams } = new URL(url);
  return `${searchParams.get("host") ?? (hostname || "localhost")}:${searchParams.get("port") ?? (port || "5432")}`;
}

export function wrongAddress(setting: AddressSetting, fact: string, cause?: unknown): AppError {
  return new AppError("database_address", `${setting} ${fact}.`, cause === undefined ? {} : { cause });
}
