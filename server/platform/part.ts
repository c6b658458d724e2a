import type { Config } from "../config.ts";
import type { HttpServer } from "../http/server.ts";
import type { Clock } from "../lib/clock.ts";
import type { FileStores } from "../lib/file-store.ts";
import type { ThrottledBatches } from "../lib/throttled-batches.ts";
import type { RateLimiter } from "../lib/rate-limiter.ts";
import type { Limits } from "../limits/limits.ts";
import type { Logger } from "../log.ts";
import type { Metrics } from "../telemetry/metrics.ts";
import type { Egress } from "../security/egress.ts";
import type { Tracing } from "../telemetry/tracing.ts";
import type { SecretBox } from "../security/secret-box.ts";
import type { Db } from "../storage/db.ts";

/** Shared infrastructure that every part may use. */
export interface Platform {
  config: Config;
  clock: Clock;
  logger: Logger;
  metrics: Metrics;
  /** Undefined while tracing is off. */
  tracing: Tracing | undefined;
  db: Db;
  /** Resolves while the database accepts reads and writes. */
  probe(): Promise<void>;
  /** Large step outputs, uploaded documents and the files of `file` steps. */
  files: FileStores;
  /** Limits each key to a number of calls per minute; processes on one database share the count. */
  limiter(name: string, perMinute: number): RateLimiter;
  /** Shares and budgets of each owner. */
  limits: Limits;
  box: SecretBox;
  egress: Egress;
  /** Logs an error of background work, which has no caller to report it to. */
  report(error: unknown, what: string): void;
}

/** Joins the stores, services and routes of one feature and exposes the services that other parts need. */
export interface Part {
  routes?(http: HttpServer): void;
  /** Starts background work. Not called in a process with ROLE=api. */
  start?(): void;
  /** Before an account is deleted: no new work of this owner begins. May run again after a crash. */
  stopOwner?(ownerId: string, batches: ThrottledBatches): Promise<void>;
  /** Deletes everything of an owner, in throttled batches, after `stopOwner` of all parts. May run again after a crash. */
  eraseOwner?(ownerId: string, batches: ThrottledBatches): Promise<void>;
  /** Accepts no new work; running work continues. Called while the last requests complete. */
  stop?(): Promise<void>;
  /** Called in reverse order: the parts that depend on this one are already closed. */
  close?(): Promise<void>;
}
