import type { JsonValue } from "../../contract/placeholders/json-value.ts";
import type { Vault } from "../engine/run/vault.ts";
import type { SecretBox } from "../security/secret-box.ts";
import { openValue } from "./sealed-value.ts";
import type { VariableStore } from "./variable-store.ts";

export interface VaultDeps {
  store: Pick<VariableStore, "named">;
  box: SecretBox;
}

export function createVault({ store, box }: VaultDeps): Vault {
  return {
    /** Never a secret: `vars.` is not struck out of what a step shows. */
    async variables(ownerId, names) {
      if (names.length === 0) return {};
      const found = await store.named(ownerId, names, false);
      return Object.fromEntries(found.map(({ name, value }) => [name, JSON.parse(value) as JsonValue]));
    },

    async secrets(ownerId, names) {
      if (names.length === 0) return {};
      const found = await store.named(ownerId, names, true);
      return Object.fromEntries(found.map(({ name, value }) => [name, openValue(box, ownerId, name, value)]));
    },
  };
}
