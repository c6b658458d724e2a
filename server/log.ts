import { createRequire } from "node:module";
import pino, { type Logger } from "pino";

export type { Logger } from "pino";

const SECRET_HEADERS = ["authorization", "cookie", "x-webhook-secret", "x-a2a-secret", "x-api-key"];

/** JSON lines, or readable ones on a terminal. Fields that hold credentials are redacted by name. */
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
    locateThread();
    return pino({
      ...options,
      transport: { target: "pino-pretty", options: { ignore: "pid,hostname", translateTime: "HH:MM:ss" } },
    });
  }
  return pino(options, (lineBuffer ??= createLineBuffer()));
}

/** In the bundle, pino does not find the file of the thread that formats the lines; this is its setting for bundlers. */
function locateThread(): void {
  const pinoFile = createRequire(import.meta.url).resolve("pino");
  Object.assign(globalThis, {
    __bundlerPathsOverrides: {
      "thread-stream-worker": createRequire(pinoFile).resolve("thread-stream/lib/worker.js"),
    },
  });
}

/** One for the process. */
let lineBuffer: ReturnType<typeof createLineBuffer> | undefined;

/** A process that is killed loses the lines of this time; one that exits writes them. */
const COLLECT_MS = 10;

/** Collects lines, so that many requests share one write, which wakes up a thread. A write for each was 3 % of a call. */
function createLineBuffer() {
  let lines = "";
  // Before the destination is created: its own listener writes to the end what it has received by then.
  process.once("exit", flush);
  const stdout = pino.destination({ dest: 1, sync: false });

  function flush(): void {
    const text = lines;
    lines = "";
    if (text !== "") stdout.write(text);
  }

  return {
    write(line: string): void {
      if (lines === "") setTimeout(flush, COLLECT_MS).unref();
      lines += line;
    },
    flushSync(): void {
      flush();
      stdout.flushSync();
    },
  };
}

/** The last part of these paths is a link that acts for its holder. */
const LINK_TOKEN =
  /^(\/a|\/api\/approval-links|\/resume|\/invitations|\/api\/invitations(?!\/accept\b))\/[^?]+/;

/** The URL without query values, which may be secrets (`/webhook/x?secret=…`), and without the tokens of links. */
export function loggableUrl(given: string): string {
  const url = given.replace(LINK_TOKEN, "$1/•••");
  const queryStart = url.indexOf("?");
  return queryStart === -1
    ? url
    : url.slice(0, queryStart) + url.slice(queryStart).replaceAll(/=[^&]*/g, "=•••");
}
