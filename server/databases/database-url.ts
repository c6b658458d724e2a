import { isLoopback } from "../security/address-classes.ts";
import { permanentFailure } from "../steps/step-failure.ts";
import { percentDecode } from "../lib/lenient-parse.ts";

/** `unverified` encrypts, but accepts any certificate. */
export type TlsMode = "verified" | "unverified" | "off";

export interface DatabaseTarget {
  type: "postgres" | "mysql" | "redis";
  host: string;
  port: number;
  user: string | undefined;
  password: string | undefined;
  database: string | undefined;
  tls: TlsMode;
}

export interface SqliteTarget {
  type: "sqlite";
  /** Relative to the owner's folder. */
  path: string;
}

const PORTS = { postgres: 5432, mysql: 3306, redis: 6379 };
const SCHEMES: Readonly<Record<string, DatabaseTarget["type"] | "sqlite">> = {
  "postgres:": "postgres",
  "postgresql:": "postgres",
  "mysql:": "mysql",
  "mariadb:": "mysql",
  "redis:": "redis",
  "rediss:": "redis",
  "sqlite:": "sqlite",
};
const TLS_MODES: Readonly<Record<string, TlsMode>> = {
  disable: "off",
  disabled: "off",
  "no-verify": "unverified",
};

export function parseDatabaseUrl(text: string): DatabaseTarget | SqliteTarget {
  const scheme = /^[a-z]+:/i.exec(text)?.[0].toLowerCase() ?? "";
  const type = SCHEMES[scheme];
  if (type === "sqlite")
    return { type, path: percentDecode(text.slice(scheme.length).replace(/^\/\//, "").split("?")[0] ?? "") };
  if (type === undefined || !URL.canParse(text))
    throw unusable("must begin with postgres://, mysql://, redis://, rediss:// or sqlite:");
  const url = new URL(text);
  const host = url.hostname.replace(/^\[|\]$/g, "");
  if (host === "") throw unusable("names no host");
  return {
    type,
    host,
    port: url.port === "" ? PORTS[type] : Number(url.port),
    user: url.username === "" ? undefined : percentDecode(url.username),
    password: url.password === "" ? undefined : percentDecode(url.password),
    database: url.pathname.length > 1 ? percentDecode(url.pathname.slice(1)) : undefined,
    tls: scheme === "redis:" ? "off" : scheme === "rediss:" ? "verified" : tlsModeOf(url, host),
  };
}

/** Encrypted and verified unless the URL says otherwise; a server on this machine seldom has a certificate. */
function tlsModeOf({ searchParams }: URL, host: string): TlsMode {
  const given = (searchParams.get("sslmode") ?? searchParams.get("ssl-mode") ?? "").toLowerCase();
  if (given === "") return isLoopback(host) ? "off" : "verified";
  return TLS_MODES[given] ?? "verified";
}

function unusable(reason: string) {
  return permanentFailure("query_failed", `The database URL of the connection ${reason}.`);
}
