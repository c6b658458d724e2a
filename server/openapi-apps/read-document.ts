import { Lexer, parse as parseYaml, Parser } from "yaml";
import { isRecord } from "../../contract/placeholders/json-value.ts";
import { AppError } from "../lib/errors.ts";
import { percentDecode } from "../lib/lenient-parse.ts";

export type Schema = Record<string, unknown>;
export type OpenApiDocument = Schema;

const MAX_YAML_DEPTH = 200;

/** Reads JSON or YAML. Aliases are limited: a few lines of YAML can stand for gigabytes. */
export function readDocument(text: string): OpenApiDocument {
  const document = parse(text);
  if (!isRecord(document)) throw unreadable("it is not an object");
  const version = String(document["openapi"] ?? document["swagger"] ?? "");
  if (!/^(3\.[01]|2\.0)/.test(version))
    throw unreadable("it names no version that Baton knows: openapi 3.0 or 3.1, or swagger 2.0");
  if (!isRecord(document["paths"])) throw unreadable("it has no paths");
  return document;
}

function parse(text: string): unknown {
  const isJson = /^\s*\{/.test(text);
  if (!isJson) assertShallow(text);
  try {
    return isJson
      ? (JSON.parse(text) as unknown)
      : parseYaml(text, { maxAliasCount: 1000, logLevel: "error" });
  } catch (error) {
    const [line] = (error as Error).message.split("\n");
    throw unreadable(`it is not valid ${isJson ? "JSON" : "YAML"} (${line?.slice(0, 200)})`);
  }
}

/**
 * The composer of YAML recurses: 40,000 levels take it a minute or overflow the stack. Overflows are not harmless: V8 ends
 * the process when one happens while it compiles a regular expression. The parser before it keeps a stack of its own.
 */
function assertShallow(text: string): void {
  const parser = new Parser();
  for (const lexeme of new Lexer().lex(text)) {
    // The parser works while its tokens are read.
    for (const _token of parser.next(lexeme));
    if (parser.stack.length > MAX_YAML_DEPTH)
      throw unreadable(`it is nested more than ${MAX_YAML_DEPTH} levels deep`);
  }
}

export function unreadable(reason: string): AppError {
  return new AppError("unreadable_document", `The OpenAPI document cannot be used: ${reason}.`);
}

/** Follows `$ref`s within the document. Other documents are never fetched. */
export function createResolver(document: OpenApiDocument, maxSteps = 500_000) {
  let steps = 0;

  function find(reference: string): unknown {
    if (!reference.startsWith("#/")) return undefined;
    let found: unknown = document;
    for (const part of reference.slice(2).split("/")) {
      const name = decodePart(part);
      if ((!isRecord(found) && !Array.isArray(found)) || !Object.hasOwn(found, name)) return undefined;
      found = (found as Record<string, unknown>)[name];
    }
    return found;
  }

  /** The object itself, or the one that it refers to; undefined when that is elsewhere or missing. */
  return function resolve(given: unknown): Schema | undefined {
    let found = given;
    for (let hops = 0; hops < 20; hops++) {
      if (++steps > maxSteps) throw unreadable("it has more references than can be followed");
      if (!isRecord(found)) return undefined;
      if (typeof found["$ref"] !== "string") return found;
      found = find(found["$ref"]);
    }
    return undefined;
  };
}

export type Resolve = ReturnType<typeof createResolver>;

function decodePart(part: string): string {
  return percentDecode(part.replaceAll("~1", "/").replaceAll("~0", "~"));
}
