import type { PageQuery } from "../../contract/api.ts";
import { isStorableText } from "../../contract/api.ts";
import {
  MAX_VARIABLE_LENGTH,
  type CreateVariable,
  type PutVariable,
  type Variable,
} from "../../contract/variables.ts";
import { type Clock, toIso } from "../lib/clock.ts";
import { AppError, invalidRequest, notFound } from "../lib/errors.ts";
import type { ResultPage } from "../lib/result-page.ts";
import type { SecretBox } from "../security/secret-box.ts";
import type { VariableRecord, VariableStore } from "./variable.sql.ts";
import { sealValue } from "./vault.ts";

export interface VariablesDeps {
  store: VariableStore;
  box: SecretBox;
  clock: Clock;
}

export type Variables = ReturnType<typeof createVariables>;

export function createVariables({ store, box, clock }: VariablesDeps) {
  function toRecord(ownerId: string, name: string, secret: boolean, value: unknown): VariableRecord {
    const stored = secret ? sealValue(box, ownerId, name, secretText(value)) : plainText(value);
    return { name, secret, value: stored, updatedAt: clock.now() };
  }

  return {
    async put(ownerId: string, name: string, given: PutVariable): Promise<Variable> {
      // A request without the flag keeps the kind: a new value must not turn a secret into plain text.
      const secret = given.secret ?? (await store.find(ownerId, name))?.secret ?? false;
      const record = toRecord(ownerId, name, secret, given.value);
      await store.upsert(ownerId, record);
      return toVariable(record);
    },

    /** Never replaces a variable: a secret must not become readable, nor a value be lost, by a name that was taken. */
    async create(ownerId: string, { name, value, secret = false }: CreateVariable): Promise<Variable> {
      const record = toRecord(ownerId, name, secret, value);
      if (!(await store.insert(ownerId, record)))
        throw new AppError(
          "variable_exists",
          `You already have a variable or secret named ${name}. Choose another name, or edit that one.`,
        );
      return toVariable(record);
    },

    async list(ownerId: string, page: PageQuery): Promise<ResultPage<Variable>> {
      const { items, nextCursor } = await store.list(ownerId, page);
      return { items: items.map(toVariable), nextCursor };
    },

    async remove(ownerId: string, name: string): Promise<void> {
      if (!(await store.remove(ownerId, name))) throw notFound("variable", name);
    },
  };
}

function secretText(value: unknown): string {
  if (typeof value !== "string" || value === "") throw invalidValue("of a secret must be text");
  if (!isStorableText(value)) throw invalidValue("of a secret must not contain NUL or half a surrogate pair");
  if (value.length > MAX_VARIABLE_LENGTH) throw tooLong();
  return value;
}

function plainText(value: unknown): string {
  const text = JSON.stringify(value);
  // The length of a string is that of its text, without JSON quotes and escapes.
  const length = typeof value === "string" ? value.length : text.length;
  if (length > MAX_VARIABLE_LENGTH) throw tooLong();
  return text;
}

function tooLong(): AppError {
  return invalidValue(`must have at most ${MAX_VARIABLE_LENGTH} characters`);
}

function invalidValue(problem: string): AppError {
  return invalidRequest(`The value ${problem}.`, [{ path: "value", message: problem }]);
}

function toVariable({ name, secret, value, updatedAt }: VariableRecord): Variable {
  return { name, secret, ...(secret ? {} : { value: JSON.parse(value) }), updatedAt: toIso(updatedAt) };
}
