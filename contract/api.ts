import * as z from "zod";
import { isRecord } from "./placeholders/json-value.ts";

/** Schemas are immutable, and hundreds of fields share a few lengths. */
const texts = new Map<string, ReturnType<typeof createText>>();
const storable = z.refine<string>(isStorableText, "must not contain a NUL character or a lone surrogate");

/** Shapes that every route shares: errors, pages of lists, times. */
export const errorSchema = z
  .object({
    ok: z.literal(false),
    error: z.string().describe("A stable snake_case code"),
    message: z.string().describe("One helpful sentence"),
    details: z.unknown().optional(),
  })
  .loose()
  .meta({ id: "Error" });

/** The same Idempotency-Key within this time returns the first result; after it, the key is free again. */
export const IDEMPOTENCY_KEY_LIFETIME_MS = 24 * 3600 * 1000;

export const timeSchema = z.iso.datetime().describe("ISO 8601, UTC");

// Shared by hundreds of schemas: each costs a kilobyte and time at the start.
const emptyText = z.literal("").transform(() => undefined);
const isTrue = z.literal(true);

/** A form with nothing selected sends `?cursor=&status=`: an empty parameter counts as absent. */
export function emptyAsAbsent<T extends z.ZodType>(schema: T) {
  return z.union([emptyText, schema]).optional();
}

const baseNumber: z.core.$constructor<z.ZodNumber> = z.ZodNumber;

const QueryNumber = z.core.$constructor<z.ZodNumber, z.core.$ZodNumberDef>("QueryNumber", (schema, def) => {
  baseNumber.init(schema, def);
  const { parse } = schema._zod;
  schema._zod.parse = (payload, context) => {
    const { value } = payload;
    if (typeof value === "string" && /^-?\d+(\.\d+)?$/.test(value)) payload.value = Number(value);
    return parse(payload, context);
  };
});

/** A whole number, also as the text of a query parameter. In decimal digits only: `z.coerce` accepts `0x10`, `1e3` and spaces. */
export function queryNumber() {
  return new QueryNumber({ type: "number" }).int();
}

const OTHER_LIST = "does not belong to this list. Use nextCursor of its last response, or leave it out";

/** The query of a list whose cursors look like this. */
export function pageQuery(cursor: RegExp, maxLength = 200) {
  return z.object({
    limit: queryNumber().min(1).max(200).default(50).describe("Maximum number of items"),
    cursor: emptyAsAbsent(text(maxLength).regex(cursor, OTHER_LIST)).describe(
      "`nextCursor` of the previous page",
    ),
  });
}

/** Of a list whose cursors are ids, as most are. */
export const pageQuerySchema = pageQuery(/^[a-z]+_[0-9a-z]+$/);

/** Of a list whose cursors are numbers. */
export const numberedPageQuerySchema = pageQuery(/^\d{1,15}$/);

/** Of a list whose cursors are names: any text is a position. */
export const namedPageQuerySchema = pageQuery(/^[^]/, 500);
export type PageQuery = z.infer<typeof pageQuerySchema>;

export const nextCursorSchema = z
  .string()
  .nullable()
  .meta({ id: "NextCursor", description: "Pass as `cursor` for the next page; null at the end" });

/** `{ok: true, …}`: every successful response. */
export function success<T extends z.ZodRawShape>(shape: T) {
  return z.object({ ok: isTrue, ...shape });
}

/** Rejects NUL, which PostgreSQL cannot store, and lone surrogates, which both databases would replace. */
export function isStorableText(value: string): boolean {
  return !/[\0\p{Cs}]/u.test(value);
}

/** Text written by people, stored unchanged. */
export function text(maxLength: number, minLength = 0) {
  const key = `${minLength}-${maxLength}`;
  const schema = texts.get(key) ?? createText(maxLength, minLength);
  texts.set(key, schema);
  return schema;
}

/** What people call a record. A name of spaces or zero-width characters would be a row that nobody can see or click. */
export function nameText(maxLength: number) {
  return text(maxLength, 1).refine(
    (name) => /[^\p{Z}\p{Cc}\p{Cf}]/u.test(name),
    "must have a character that can be seen",
  );
}

interface LimitedRecordDef extends z.core.$ZodRecordDef {
  maxEntries: number;
}

const baseRecord: z.core.$constructor<z.ZodRecord> = z.ZodRecord;

const LimitedRecord = z.core.$constructor<z.ZodRecord, LimitedRecordDef>("LimitedRecord", (schema, def) => {
  baseRecord.init(schema, def);
  const { parse } = schema._zod;
  schema._zod.parse = (payload, context) => {
    const { value } = payload;
    if (!isRecord(value) || Object.keys(value).length <= def.maxEntries) return parse(payload, context);
    const message = `must have at most ${def.maxEntries} names`;
    payload.issues.push({ code: "custom", message, input: value, inst: schema });
    return payload;
  };
});

/**
 * An object of at most `maxEntries` values. They are counted first, as zod counts lists: it would report each of
 * 150,000 wrong values, which takes seconds.
 */
export function limitedRecord<K extends z.core.$ZodRecordKey, V extends z.ZodType>(
  keyType: K,
  valueType: V,
  maxEntries: number,
  error?: string,
): z.ZodRecord<K, V> {
  const def: LimitedRecordDef = { type: "record", keyType, valueType, maxEntries };
  return new LimitedRecord({
    ...def,
    ...(error !== undefined && { error: () => error }),
  }) as unknown as z.ZodRecord<K, V>;
}

function createText(maxLength: number, minLength: number) {
  const shortest = z.minLength(minLength, minLength === 1 ? "must not be empty" : undefined);
  // In one call: every method of a chain copies the schema.
  return z.string({ checks: [shortest, z.maxLength(maxLength), storable] });
}
