import { INSTANCE_CHAIN } from "./audit/chain.ts";
import type { Config } from "./config.ts";
import { createParts, type PartsOptions } from "./create-parts.ts";
import { addRoutes } from "./http/add-routes.ts";
import type { HttpServer } from "./http/server.ts";
import { webRoutes } from "./http/web.routes.ts";
import type { Clock } from "./lib/clock.ts";
import { openHttp } from "./platform/open-http.ts";
import { openPlatform } from "./platform/open-platform.ts";
import { isAdministrator } from "./storage/administrator.ts";

export interface App {
  http: HttpServer;
  /** The set-up code that the first account needs to register; undefined when none is needed. */
  setupCode(): Promise<string | undefined>;
  /** Starts listening; returns the URL of the page. */
  listen(): Promise<string>;
  /** Begins to run tasks and background work. Called last: a start that fails must interrupt no run, nor repeat a step. */
  start(): void;
  close(): Promise<void>;
}

export interface AppOptions extends PartsOptions {
  clock?: Clock;
}

/** Opens the platform, creates the parts and serves them, until `close`. */
export async function createApp(config: Config, { clock, ...options }: AppOptions = {}): Promise<App> {
  const platform = await openPlatform(config, clock);
  const { parts, workspaces, accounts, engine, endpoints, triggers, audit } = await createParts(
    platform,
    options,
  );

  const http = await openHttp(
    platform,
    {
      logins: accounts.logins,
      keys: endpoints.keys,
      memberships: workspaces.memberships,
      isAdministrator: (userId) => isAdministrator(platform.db, userId),
    },
    { recorder: audit.recorder, instanceChain: INSTANCE_CHAIN, report: platform.report },
  );
  if (config.role !== "worker") {
    addRoutes(http, () => {
      for (const part of parts) part.routes?.(http);
    });
    await webRoutes(http, { chatOrigins: triggers.chatOrigins });
  }

  let closing: Promise<void> | undefined;
  async function closeAll(): Promise<void> {
    await Promise.all([http.close(), ...parts.map((part) => part.stop?.())]);
    for (const part of parts.toReversed()) await part.close?.();
    await platform.close();
  }

  return {
    http,
    setupCode: accounts.setupCode,
    listen: () => http.listen({ host: config.host, port: config.port }),
    start() {
      engine.claimTasks();
      if (config.role !== "api") for (const part of parts) part.start?.();
    },
    close: () => (closing ??= closeAll()),
  };
}
