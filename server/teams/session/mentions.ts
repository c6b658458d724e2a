import type { Member } from "./topology.ts";

export interface Addressed {
  /** Undefined for what was said to nobody in particular. */
  to: Member | undefined;
  text: string;
}

/**
 * An agent gives work to another by a line that begins with `@name:`; what follows, up to the next such line, is
 * for that one. Plain text because every model can write it, also those that know no tools.
 */
export function readMentions(text: string, others: readonly Member[]): Addressed[] {
  const parts: Addressed[] = [{ to: undefined, text: "" }];
  for (const line of text.split("\n")) {
    const member = mentionedIn(line, others);
    if (member === undefined) parts.at(-1)!.text += `${line}\n`;
    else parts.push({ to: member, text: `${line.slice(line.indexOf(":") + 1)}\n` });
  }
  return parts
    .map(({ to, text: part }) => ({ to, text: part.trim() }))
    .filter(({ text: part }) => part !== "");
}

function mentionedIn(line: string, others: readonly Member[]): Member | undefined {
  const start = line.trimStart();
  if (!start.startsWith("@")) return undefined;
  const said = start.slice(1).toLowerCase();
  return others.find(
    ({ id, name }) => said.startsWith(`${name.toLowerCase()}:`) || said.startsWith(`${id.toLowerCase()}:`),
  );
}
