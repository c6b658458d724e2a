import type { JsonValue } from "../../../contract/placeholders/json-value.ts";

/** The owner's variables and secrets, by name; what does not exist is left out. */
export interface Vault {
  variables(ownerId: string, names: readonly string[]): Promise<Record<string, JsonValue>>;
  secrets(ownerId: string, names: readonly string[]): Promise<Record<string, string>>;
}
