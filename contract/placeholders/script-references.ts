import type { Reference } from "./reference.ts";
import { scanScript, type ScriptWord } from "./script.ts";

/** The values that code and expressions name. */
export interface ScriptReferences {
  /** Steps and variables by name. */
  references: Reference[];
  /** `steps` is used as a whole or with a computed name: the code may read every earlier step. */
  readsAllSteps: boolean;
  /** `vars` is used without a name, so the variables are unknown. */
  unnamedVars: boolean;
  readsTrigger: boolean;
}

const NAME = /\s*(?:\?\.|\.)\s*([\p{L}_$][\p{L}\p{M}\p{N}_$]*)/uy;
const KEY = /\s*(?:\?\.\s*)?\[\s*(?:"([^"\\\n]*)"|'([^'\\\n]*)'|`([^`\\$]*)`)\s*\]/y;
const COLON = /\s*:/y;
const DECLARED = /\b(?:const|let|var|function|class)\s+(steps|vars)\b/g;

export function scriptReferences(source: string): ScriptReferences {
  const found: ScriptReferences = {
    references: [],
    readsAllSteps: false,
    unnamedVars: false,
    readsTrigger: false,
  };
  if (!/\b(?:steps|vars|trigger)\b/.test(source)) return found;
  const references = new Map<string, Reference>();
  // A variable of the code's own hides the value.
  const hidden = new Set([...source.matchAll(DECLARED)].map(([, name]) => name));
  scanScript(source, 0, (at) => {
    const { word } = at;
    if (at.previous === "." || hidden.has(word) || isKey(source, at)) return;
    if (word === "trigger") found.readsTrigger = true;
    if (word !== "steps" && word !== "vars") return;
    const name = nameAfter(source, at.end);
    if (name !== undefined) references.set(`${word}.${name}`, referenceTo(word, name));
    else if (word === "steps") found.readsAllSteps = true;
    else found.unnamedVars = true;
  });
  found.references = [...references.values()];
  return found;
}

function referenceTo(root: "steps" | "vars", name: string): Reference {
  const source = `${root}.${name}`;
  return root === "steps"
    ? { root, path: [name, "output"], stepId: name, source }
    : { root, path: [name], source };
}

/** `.name`, `?.name`, `["any name"]` after the word. */
function nameAfter(source: string, end: number): string | undefined {
  for (const pattern of [NAME, KEY]) {
    pattern.lastIndex = end;
    const match = pattern.exec(source);
    if (match !== null) return match[1] ?? match[2] ?? match[3];
  }
  return undefined;
}

/** `{ steps: 1 }` is a name of the code's own data. */
function isKey(source: string, { previous, end }: ScriptWord): boolean {
  if (previous !== "{" && previous !== ",") return false;
  COLON.lastIndex = end;
  return COLON.test(source);
}
