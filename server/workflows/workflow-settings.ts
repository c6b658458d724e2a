import type { FormSettings, FormSettingsInput } from "../../contract/forms.ts";
import { compileTemplate } from "../../contract/placeholders/compile.ts";
import type {
  ApiSettings,
  ApiSettingsInput,
  RunSettings,
  RunSettingsInput,
} from "../../contract/workflow-settings.ts";
import { AppError } from "../lib/errors.ts";

/** Throws unless the workspace has this workflow. */
export type RequireWorkflow = (id: string) => Promise<unknown>;

export const NO_ENDPOINT: ApiSettings = {
  enabled: false,
  endpointName: null,
  authentication: true,
  sync: true,
};

/** Omitted fields keep their value; `null` clears a field. */
export function mergeApiSettings(current: ApiSettings, change: ApiSettingsInput = {}): ApiSettings {
  const responseStepId =
    change.responseStepId === undefined ? current.responseStepId : (change.responseStepId ?? undefined);
  return {
    enabled: change.enabled ?? current.enabled,
    endpointName: change.endpointName === undefined ? current.endpointName : change.endpointName,
    authentication: change.authentication ?? current.authentication,
    sync: change.sync ?? current.sync,
    ...(responseStepId === undefined ? {} : { responseStepId }),
    ...((change.customResponse ?? current.customResponse) ? { customResponse: true as const } : {}),
  };
}

/** Omitted fields keep their value; `null` clears a field, or removes the form. */
export function mergeForm(
  current: FormSettings | undefined,
  change: FormSettingsInput | null | undefined,
): FormSettings | undefined {
  if (change === undefined) return current;
  if (change === null) return undefined;
  const given = Object.entries(change).filter(([, value]) => value !== undefined);
  const merged = Object.entries({ enabled: false, ...current, ...Object.fromEntries(given) });
  return Object.fromEntries(merged.filter(([, value]) => value !== null)) as FormSettings;
}

/** Omitted fields keep their value; `null` clears a field. */
export async function mergeRunSettings(
  current: RunSettings | undefined,
  change: RunSettingsInput | undefined,
  requireWorkflow: RequireWorkflow,
  workflowId?: string,
): Promise<RunSettings | undefined> {
  if (change === undefined) return current;
  if (typeof change.errorWorkflowId === "string") {
    if (change.errorWorkflowId === workflowId)
      throw invalidSetting("errorWorkflowId", "must be another workflow");
    await requireWorkflow(change.errorWorkflowId).catch(inErrorWorkflow);
  }
  checkConcurrencyKey(change.concurrency?.key);
  const merged = Object.entries({ ...current, ...change }).filter(
    ([, value]) => value !== null && value !== undefined,
  );
  return merged.length === 0 ? undefined : (Object.fromEntries(merged) as RunSettings);
}

/** The settings without an error workflow that is not in the workspace. */
export async function fitRunSettings(
  settings: RunSettingsInput | undefined,
  requireWorkflow: RequireWorkflow,
): Promise<RunSettingsInput | undefined> {
  if (typeof settings?.errorWorkflowId !== "string") return settings;
  const { errorWorkflowId, ...rest } = settings;
  try {
    await requireWorkflow(errorWorkflowId);
    return settings;
  } catch (error) {
    if (!(error instanceof AppError) || error.retryable) throw error;
    return rest;
  }
}

function invalidSetting(field: string, problem: string): AppError {
  return new AppError("invalid_request", `The request is not valid: settings.${field}: ${problem}.`, {
    details: [{ path: `settings.${field}`, message: problem }],
  });
}

/** Says which of the two workflows is missing. */
function inErrorWorkflow(error: unknown): never {
  if (!(error instanceof AppError) || error.retryable) throw error;
  const problem = "is not a workflow of this workspace";
  throw new AppError(
    error.code,
    `settings.errorWorkflowId ${problem}. Name another one, or send null for none.`,
    {
      details: [{ path: "settings.errorWorkflowId", message: problem }],
    },
  );
}

/** It is rendered before the run starts, so it can use only what is known then. */
export function checkConcurrencyKey(key: string | undefined): void {
  if (key === undefined) return;
  const { references, problems } = compileTemplate(key);
  if (problems.length > 0 || references.some(({ root }) => root !== "input" && root !== "trigger"))
    throw invalidSetting("concurrency.key", "may use placeholders of input and trigger only");
}
