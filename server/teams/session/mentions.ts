import type { Member } from "./topology.ts";

export interface Addressed {
  /** Undefined for text that addresses no member. */
  to: Member | undefined;
  text: string;
}

/**
 * A line that starts with `@name:` delegates: the text up to the next such line is for that member. Plain text, since
 * every model can write it, including those without tool calls.
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
  const address = start.slice(1).toLowerCase();
  return others.find(
    ({ id, name }) =>
      address.startsWith(`${name.toLowerCase()}:`) || address.startsWith(`${id.toLowerCase()}:`),
  );
}
