import type { PageQuery } from "../../contract/api.ts";
import type { Page } from "../lib/page.ts";

export interface VariableRecord {
  name: string;
  secret: boolean;
  /** JSON text; of a secret, the sealed text. */
  value: string;
  updatedAt: number;
}

export interface VariableStore {
  put(ownerId: string, variable: VariableRecord): Promise<void>;
  get(ownerId: string, name: string): Promise<VariableRecord | undefined>;
  /** By name: variables are looked up, not browsed. */
  list(ownerId: string, page: PageQuery): Promise<Page<VariableRecord>>;
  /** Those of the names that exist. */
  named(ownerId: string, names: readonly string[], secret: boolean): Promise<VariableRecord[]>;
  remove(ownerId: string, name: string): Promise<boolean>;
}
