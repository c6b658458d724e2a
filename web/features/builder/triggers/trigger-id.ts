import type { TriggerKind } from "../../../flow/triggers.ts";

/** The record id of a webhook or schedule that is not created yet. */
export const NEW_RECORD = "new";

export interface TriggerAddress {
  kind: TriggerKind;
  recordId: string;
}

export function parseTriggerId(id: string): TriggerAddress {
  const [, kind = "manual", ...rest] = id.split(":");
  return { kind: kind as TriggerKind, recordId: rest.join(":") };
}
