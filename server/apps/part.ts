import type { App } from "../../apps/define-app.ts";
import { createLargeValues } from "../engine/run/large-values.ts";
import type { StepRunner } from "../engine/run/step-runner.ts";
import type { Part, Platform } from "../platform/part.ts";
import type { RunFiles } from "../run-files/run-files.ts";
import { createAgentActions } from "./agent-actions.ts";
import { type AppClient, createAppClient } from "./app-client.ts";
import { createAppOptions } from "./app-options.ts";
import { type AppDeliveriesDeps, createAppDeliveries } from "./app-delivery.ts";
import { createAppSource, openTriggerSecret } from "./app-source.ts";
import { createAppRunner } from "./app-step.ts";
import { appRoutes } from "./app.routes.ts";
import { connectionFetch } from "../connections/connection-fetch.ts";
import type { ConnectionApps } from "../connections/connection-app.ts";
import { createConnectionStore } from "../connections/connection.sql.ts";
import type { TriggerSource } from "../triggers/source.ts";
import { createConnectionApps } from "./connection-apps.ts";
import { createTriggerChecks } from "./trigger-check.ts";
import { type AppCatalogue, createAppCatalogue, type OwnApps } from "./catalogue.ts";
import type { ConnectionUse } from "../connections/connection-use.ts";

export interface AppsPart extends Part {
  catalogue: AppCatalogue;
  stepRunner: StepRunner;
  triggerSource: TriggerSource<"app">;
  checkTrigger: ReturnType<typeof createTriggerChecks>;
  /** Receives the calls of vendors for webhook triggers. */
  receiveDeliveries(
    deps: Pick<AppDeliveriesDeps, "findTrigger" | "store">,
  ): ReturnType<typeof createAppDeliveries>;
  agentActions: ReturnType<typeof createAgentActions>;
}

export interface AppCalls {
  catalogue: AppCatalogue;
  client: AppClient;
  /** What connections need to know about apps. */
  connectionApps: ConnectionApps;
}

export interface AppCallsDeps {
  /** The apps that ship with Baton; others in tests. */
  apps?: readonly App[] | undefined;
  ownApps: OwnApps;
  runFiles: Pick<RunFiles, "create" | "find" | "open">;
}

export interface AppsPartDeps extends Pick<AppCalls, "catalogue" | "client"> {
  useConnection(ownerId: string, id: string): Promise<ConnectionUse>;
}

const OPTION_SLOTS = { slots: 16, perKey: 2 };
/** Answers over a megabyte that checks of triggers read at once: beside those of steps. */
const TRIGGER_VALUE_SLOTS = { slots: 2, perKey: 1 };
/** A person who types a search pauses between requests. */
const OPTIONS_PER_MINUTE = 120;

/** The apps and how they are called, without stored connections: those are tested with it. */
export function createAppCalls(
  { clock, db, egress, limits }: Platform,
  { apps, ownApps, runFiles }: AppCallsDeps,
): AppCalls {
  const { connectedApps } = createConnectionStore(db);
  const catalogue = createAppCatalogue({ ...(apps && { apps }), ownApps, connectedApps });
  const client = createAppClient({
    fetch: (use, url, init) => connectionFetch(egress, use, url, init),
    limits,
    runFiles,
    clock,
  });
  return { catalogue, client, connectionApps: createConnectionApps({ catalogue, client }) };
}

/** Apps: their actions as steps, their triggers, and the choices of their forms. */
export function createAppsPart(
  { limits, limiter, clock, box, config }: Platform,
  { catalogue, client, useConnection }: AppsPartDeps,
): AppsPart {
  const listOptions = createAppOptions({ catalogue, client, useConnection });
  const optionCalls = limits.share({ share: "app_options", ...OPTION_SLOTS });
  return {
    catalogue,
    stepRunner: createAppRunner({ catalogue, client, useConnection }),
    triggerSource: createAppSource({
      catalogue,
      client,
      useConnection,
      box,
      clock,
      largeValues: createLargeValues(limits.share({ share: "trigger_values", ...TRIGGER_VALUE_SLOTS })),
      publicUrl: config.publicUrl,
    }),
    receiveDeliveries: (deps) =>
      createAppDeliveries({
        ...deps,
        catalogue,
        openSecret: (trigger) => openTriggerSecret(box, trigger),
        now: clock.now,
      }),
    agentActions: createAgentActions({ catalogue, useConnection }),
    checkTrigger: createTriggerChecks({ catalogue, useConnection }),
    routes: (http) =>
      appRoutes(http, {
        catalogue,
        async listOptions(ownerId, id, query) {
          await catalogue.require(ownerId, id);
          return optionCalls.run(ownerId, () => listOptions(ownerId, id, query));
        },
        limiter: limiter("app_options", OPTIONS_PER_MINUTE),
      }),
  };
}
