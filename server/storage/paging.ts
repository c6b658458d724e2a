/** Lists run newest first with `id < cursor`; this one sorts behind every prefix, in any collation. */
export const AFTER_EVERY_ID = "zzzz";
