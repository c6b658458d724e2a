import type { StepRunner } from "../engine/run/step-runner.ts";
import type { Part, Platform } from "../platform/part.ts";
import type { RunFiles } from "../run-files/run-files.ts";
import { createAppClient } from "./app-client.ts";
import { createAppOptions } from "./app-options.ts";
import { createAppRunner } from "./app-step.ts";
import { appRoutes } from "./app.routes.ts";
import { type AppCatalogue, createAppCatalogue } from "./catalogue.ts";
import type { AppConnection, ConnectionFetch } from "./connection.ts";

export interface AppsPart extends Part {
  catalogue: AppCatalogue;
  stepRunner: StepRunner;
}

export interface AppsPartDeps {
  useConnection(ownerId: string, id: string): Promise<AppConnection>;
  connectedApps(ownerId: string): Promise<ReadonlySet<string>>;
  fetch: ConnectionFetch;
  runFiles: Pick<RunFiles, "create" | "find" | "open">;
}

/** Apps: their actions as steps, their triggers, and the choices of their forms. */
export function createAppsPart(
  { limits, clock }: Platform,
  { useConnection, connectedApps, fetch, runFiles }: AppsPartDeps,
): AppsPart {
  const catalogue = createAppCatalogue({ connectedApps });
  const client = createAppClient({ fetch, limits, runFiles, clock });
  const listOptions = createAppOptions({ catalogue, client, useConnection });
  return {
    catalogue,
    stepRunner: createAppRunner({ catalogue, client, useConnection }),
    routes: (http) => appRoutes(http, { catalogue, listOptions }),
  };
}
