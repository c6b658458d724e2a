/** Markdown as the text that a reader sees: notes here are plain. Links keep their address. */
export function plainText(markdown: string): string {
  return markdown
    .split(/\r?\n/)
    .map(plainLine)
    .join("\n")
    .replaceAll(/\n{3,}/g, "\n\n");
}

const RULE = /^\s{0,3}(?:[-*_=]\s{0,3}){3,}$/;
const LINE_START = /^\s{0,10}(?:#{1,6}(?:\s+|$)|>\s?)+/;
const BULLET = /^(\s{0,20})[*+-]\s+/;

function plainLine(line: string): string {
  if (RULE.test(line) || /^\s*```/.test(line)) return "";
  return line
    .replace(LINE_START, "")
    .replace(BULLET, "$1– ")
    .replaceAll(
      /!?\[([^[\]]{0,500})\]\(([^()\s]{0,500})[^()]{0,200}\)/g,
      (_all, label: string, address: string) =>
        label === "" || label === address ? address : `${label}: ${address}`,
    )
    .replaceAll(/<br\s*\/?>/gi, "\n")
    .replaceAll(
      /<\/?(?:div|span|p|b|i|u|em|strong|center|h[1-6]|font|small|code|img|a|ul|li)\b[^<>]{0,500}>/gi,
      "",
    )
    .replaceAll(/(\*\*|__|~~|`)(?=\S)([^*_~`]{1,1000}?)\1/g, "$2")
    .replaceAll(/(?<![\w*])\*(?=\S)([^*\n]{1,1000}?)\*(?![\w*])/g, "$1");
}
