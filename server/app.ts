import packageFile from "../package.json" with { type: "json" };
import { createAccounts } from "./accounts/accounts.ts";
import type { Config } from "./config.ts";
import { accountRoutes } from "./http/account-routes.ts";
import { requireLogin } from "./http/auth.ts";
import { openApi } from "./http/openapi.ts";
import { createHttpServer, type HttpServer } from "./http/server.ts";
import { systemRoutes } from "./http/system-routes.ts";
import { templateRoutes } from "./http/template-routes.ts";
import { workflowRoutes } from "./http/workflow-routes.ts";
import { loadKeys } from "./key-files.ts";
import { type Clock, systemClock } from "./lib/clock.ts";
import { createRateLimiter } from "./lib/rate-limiter.ts";
import { createLogger } from "./log.ts";
import { createMetrics } from "./metrics.ts";
import { createTokens } from "./security/tokens.ts";
import { createAccountStore } from "./storage/account-store.ts";
import { migrate } from "./storage/migrate.ts";
import { migrations } from "./storage/migrations/all.ts";
import { openSqlite } from "./storage/sqlite/sqlite-db.ts";
import { createTemplateStore } from "./storage/template-store.ts";
import { createWorkflowStore } from "./storage/workflow-store.ts";
import { starters } from "./workflows/starters/all.ts";
import { createTemplates } from "./workflows/templates.ts";
import { createWorkflows } from "./workflows/workflows.ts";

export interface App {
  http: HttpServer;
  /** Starts to listen; returns the address of the page. */
  listen(): Promise<string>;
  close(): Promise<void>;
}

/** The composition root: the only file that knows every part. */
export async function createApp(config: Config, clock: Clock = systemClock): Promise<App> {
  const logger = createLogger(config.logLevel);
  const db = openSqlite({ folder: config.dataDir });
  await migrate(db, migrations, clock.now());
  const keys = loadKeys(config);
  const metrics = createMetrics();

  const tokens = createTokens({ secret: keys.jwtSecret, clock });
  const accounts = createAccounts({
    store: createAccountStore(db),
    tokens,
    clock,
    allowRegistration: config.allowRegistration,
  });
  const workflows = createWorkflows({ store: createWorkflowStore(db), clock, maxSteps: config.limits.steps });
  const templates = createTemplates({
    store: createTemplateStore(db),
    workflows,
    starters,
    clock,
    maxSteps: config.limits.steps,
  });

  const http = createHttpServer({
    logger,
    metrics,
    trustProxy: config.trustProxy,
    corsOrigins: config.corsOrigins,
    jsonBodyBytes: config.limits.jsonBodyBytes,
  });
  requireLogin(http, (token) => tokens.verify(token));
  await openApi(http, packageFile.version);
  systemRoutes(http, { metrics, probe: async () => void (await db.query("select 1 as one")) });
  accountRoutes(http, { accounts, loginLimiter: createRateLimiter(config.limits.loginPerMinute, clock) });
  workflowRoutes(http, workflows);
  templateRoutes(http, templates);

  return {
    http,
    listen: () => http.listen({ host: config.host, port: config.port }),
    async close() {
      await http.close();
      await db.close();
    },
  };
}
