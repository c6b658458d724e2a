import pino, { type Logger } from "pino";

export type { Logger } from "pino";

const SECRET_HEADERS = ["authorization", "cookie", "x-webhook-secret", "x-a2a-secret", "x-api-key"];

/** Structured lines, readable ones on a terminal. Whatever holds a credential is struck out by name. */
export function createLogger(level: string): Logger {
  const options = {
    level,
    redact: {
      paths: [
        ...SECRET_HEADERS.flatMap((name) => [`headers["${name}"]`, `*.headers["${name}"]`]),
        ...["password", "token", "secret", "rawKey", "a2aSecret"].flatMap((name) => [name, `*.${name}`]),
      ],
      censor: "•••",
    },
  };
  if (process.stdout.isTTY) {
    return pino({
      ...options,
      transport: { target: "pino-pretty", options: { ignore: "pid,hostname", translateTime: "HH:MM:ss" } },
    });
  }
  return pino(options, pino.destination({ dest: 1, sync: false }));
}

/** Secrets may stand in a query string (`/webhook/x?secret=…`): the address is logged without their values. */
export function loggableUrl(url: string): string {
  const queryStart = url.indexOf("?");
  return queryStart === -1
    ? url
    : url.slice(0, queryStart) + url.slice(queryStart).replaceAll(/=[^&]*/g, "=•••");
}
