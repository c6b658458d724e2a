import type { Config } from "../config.ts";
import type { HttpServer } from "../http/server.ts";
import type { Clock } from "../lib/clock.ts";
import type { FileStores } from "../lib/file-store.ts";
import type { RateLimiter } from "../lib/rate-limiter.ts";
import type { Logger } from "../log.ts";
import type { Metrics } from "../metrics.ts";
import type { Egress } from "../security/egress.ts";
import type { SecretBox } from "../security/secret-box.ts";
import type { Db } from "../storage/db.ts";

/** What every part stands on. */
export interface Platform {
  config: Config;
  clock: Clock;
  logger: Logger;
  metrics: Metrics;
  db: Db;
  /** Resolves while the database answers and takes writes. */
  probe(): Promise<void>;
  /** Large outputs, uploads and the files of `file` steps. */
  files: FileStores;
  /** So many a minute for each key; several processes on one database count together. */
  limiter(name: string, perMinute: number): RateLimiter;
  box: SecretBox;
  egress: Egress;
  /** For what fails in the background, where nobody waits for an answer. */
  report(error: unknown, what: string): void;
}

/**
 * A part joins the stores, services and routes of one noun. It hands out the services that other parts need;
 * `app.ts` knows only these.
 */
export interface Part {
  routes?(http: HttpServer): void;
  /** What goes on by itself, without a request. Not called in a process that leaves the work to others. */
  begin?(): void;
  /** Takes no new work from now on; what is under way goes on. Called while the last requests are answered. */
  stop?(): Promise<void>;
  /** Called backwards: whoever was built on this part has closed before. */
  close?(): Promise<void>;
}
