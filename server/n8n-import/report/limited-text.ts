/** Of a text with what was left out; the count is short. */
const REST = 60;

/** Whole sentences up to a length, and how many were left out. */
export function limitedSentences(sentences: readonly string[], maxLength: number): string {
  const all = sentences.join(" ");
  if (all.length <= maxLength) return all;
  let shown = 0;
  for (let length = 0; shown < sentences.length; shown++) {
    length += (sentences[shown]?.length ?? 0) + 1;
    if (length > maxLength - REST) break;
  }
  const [first = ""] = sentences;
  const start = shown === 0 ? [limitedText(first, maxLength - REST)] : sentences.slice(0, shown);
  const left = sentences.length - start.length;
  return [...start, ...(left > 0 ? [`And ${left} more, which do not fit here.`] : [])].join(" ");
}

/** The beginning of a text, and how many characters were left out. */
export function limitedText(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const kept = maxLength - REST;
  return `${text.slice(0, kept)}… (${text.length - kept} more characters)`;
}
