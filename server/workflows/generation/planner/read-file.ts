import { addStep, type Draft, placeholdersOf, type Planning, type Product, subjectOf } from "./draft.ts";
import { literalsIn } from "./literals.ts";
import { addThought } from "./read-thinking.ts";
import { verbKindsOf } from "./verbs.ts";

const CALLED = /\bfile\s+(?:called|named)\s+(?:«\d+»|([\w-]+))/i;
const PLAIN_SAVE = /^(?:sav|stor|archiv|record|export|log)\w*\b/i;

export function readFile(text: string, draft: Draft, planning: Planning): boolean {
  const [file] = literalsIn(text, "file", planning.literals);
  const named = CALLED.exec(text);
  const path =
    file ?? (named === null ? undefined : (named[1] ?? literalsIn(named[0], "quote", planning.literals)[0]));
  const kinds = verbKindsOf(text);
  const speaksOfFile = path !== undefined || /\bfiles?\b|\bfolder\b/i.test(text);

  if (speaksOfFile && /^(?:delet|remov)/i.test(text) && path !== undefined) {
    addStep(draft, planning, { id: "delete-file", type: "file", fields: { action: "delete", path } });
    return true;
  }
  if (/^list\b/i.test(text) && /\bfiles\b|\bfolder\b/i.test(text)) {
    const folder =
      /\b(?:in|of|from)\s+(?:the\s+)?(?:folder\s+)?([\w/-]+)(?:\s+folder)?\s*$/i.exec(text)?.[1] ?? "/";
    const gives = { form: "data" as const, nouns: ["files", "list", "names"] };
    addStep(draft, planning, {
      id: "list-files",
      type: "file",
      fields: { action: "list", path: folder },
      gives,
    });
    return true;
  }
  if (
    kinds.has("keep") &&
    (path !== undefined || PLAIN_SAVE.test(text) || /\b(?:to|into|in)\s+an?\s+(?:\w+\s+)?file\b/i.test(text))
  ) {
    write(text, path, draft, planning);
    return true;
  }
  const isThought = kinds.has("think") && file !== undefined;
  if (
    (kinds.has("read") || isThought) &&
    path !== undefined &&
    literalsIn(text, "url", planning.literals).length === 0
  ) {
    const gives = { form: "text" as const, nouns: ["file", "content", "contents", "text", "data"] };
    addStep(draft, planning, { id: "read-file", type: "file", fields: { action: "read", path }, gives });
    // "Summarise notes.txt" needs two steps: read the file, then summarise it.
    if (isThought) addThought(text.replaceAll(/(?:the\s+file\s+)?«\d+»/g, "it"), draft, planning);
    return true;
  }
  return false;
}

function write(text: string, path: string | undefined, draft: Draft, planning: Planning): void {
  const isAppend = /^(?:append|add|log)\b/i.test(text) || /\bappend/i.test(text);
  const subject = subjectOf(text, draft);
  const content = contentOf(text, subject, planning);
  addStep(draft, planning, {
    id: isAppend ? "append" : "save",
    type: "file",
    fields: {
      action: isAppend ? "append" : "write",
      path: path ?? defaultPath(subject),
      content: isAppend ? `${content}\n` : content,
    },
  });
}

/** A quotation is the content to write, unless it is the name of the file. */
function contentOf(text: string, subject: readonly Product[], planning: Planning): string {
  const [quoted] = literalsIn(text.replace(CALLED, ""), "quote", planning.literals);
  return quoted ?? placeholdersOf(subject);
}

function defaultPath(subject: readonly Product[]): string {
  const [first] = subject;
  return `${first?.nouns[0] ?? "result"}.${first?.form === "text" ? "txt" : "json"}`;
}
