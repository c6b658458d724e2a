/** Result and action codes of SQLite's authorizer, which never change. */
export const ALLOW = 0;
export const DENY = 1;
const [PRAGMA, ATTACH, DETACH, FUNCTION, CREATE_VTABLE] = [19, 24, 25, 31, 29];

/** Pragmas that only read the schema. Others change files, limits or the safety of the process. */
const READING_PRAGMAS = new Set([
  "table_info",
  "table_xinfo",
  "table_list",
  "index_list",
  "index_info",
  "foreign_key_list",
  "foreign_key_check",
  "integrity_check",
  "quick_check",
]);
/** They open files. */
const FORBIDDEN_FUNCTIONS = new Set(["load_extension", "readfile", "writefile", "edit", "fts3_tokenizer"]);
/** Full-text and spatial search, which keep everything in tables of the file. */
const VIRTUAL_TABLES = new Set(["fts5", "rtree"]);

/**
 * What a statement may do in an owner's file: everything in it, nothing outside. ATTACH is refused by name as well as by
 * the limit of attached databases; VACUUM INTO attaches its target.
 */
export function allowsAction(action: number, first: string | null, second: string | null): boolean {
  if (action === ATTACH || action === DETACH) return false;
  if (action === PRAGMA)
    return (
      READING_PRAGMAS.has(first?.toLowerCase() ?? "") ||
      (first?.toLowerCase() === "user_version" && second === null)
    );
  if (action === FUNCTION) return !FORBIDDEN_FUNCTIONS.has(second?.toLowerCase() ?? "");
  if (action === CREATE_VTABLE) return VIRTUAL_TABLES.has(second?.toLowerCase() ?? "");
  return true;
}
