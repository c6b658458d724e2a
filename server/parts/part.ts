import type { Config } from "../config.ts";
import type { HttpServer } from "../http/server.ts";
import type { Clock } from "../lib/clock.ts";
import type { Logger } from "../log.ts";
import type { Egress } from "../security/egress.ts";
import type { SecretBox } from "../security/secret-box.ts";
import type { Db } from "../storage/db.ts";

/** What every part stands on. */
export interface Ground {
  config: Config;
  clock: Clock;
  logger: Logger;
  db: Db;
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
  routes(http: HttpServer): void;
  /** Takes no new work from now on; what is under way goes on. Called while the last requests are answered. */
  stop?(): Promise<void>;
  /** Called backwards: whoever was built on this part has closed before. */
  close?(): Promise<void>;
}
