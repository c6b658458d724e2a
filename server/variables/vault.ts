import type { JsonValue } from "../../contract/placeholders/json-value.ts";
import type { Vault } from "../engine/run/run.ts";
import { secretContext } from "../security/seal-contexts.ts";
import type { SecretBox } from "../security/secret-box.ts";
import type { VariableStore } from "./variable.sql.ts";

export interface VaultDeps {
  store: Pick<VariableStore, "listByNames">;
  box: SecretBox;
}

/** Reads variables and secrets for the placeholders of a running step. */
export function createVault({ store, box }: VaultDeps): Vault {
  return {
    /** Never returns a secret: values of `vars.` are not redacted from step results. */
    async variables(ownerId, names) {
      if (names.length === 0) return {};
      const found = await store.listByNames(ownerId, names, false);
      return Object.fromEntries(found.map(({ name, value }) => [name, JSON.parse(value) as JsonValue]));
    },

    async secrets(ownerId, names) {
      if (names.length === 0) return {};
      const found = await store.listByNames(ownerId, names, true);
      return Object.fromEntries(
        found.map(({ name, value }) => [name, box.open(value, secretContext(ownerId, name))]),
      );
    },
  };
}

export function sealValue(box: SecretBox, ownerId: string, name: string, value: string): string {
  return box.seal(value, secretContext(ownerId, name));
}
