/** Cuts the common English endings, so that "filters", "filter" and "filtering" are one term. */
export function stemEnglish(word: string): string {
  if (word.length < 4 || /\p{N}/u.test(word)) return word;
  let root = word;
  if (root.endsWith("ies") && root.length > 4) root = `${root.slice(0, -3)}y`;
  else if (/(?:ss|sh|ch|x|z)es$/.test(root)) root = root.slice(0, -2);
  else if (/[^suia]s$/.test(root)) root = root.slice(0, -1);
  root = cutVerbEnding(root);
  if (root.endsWith("ly") && root.length > 5) root = root.slice(0, -2);
  if (root.endsWith("e") && root.length > 4) root = root.slice(0, -1);
  if (root.endsWith("y") && root.length > 3 && !/[aeiou]y$/.test(root)) root = `${root.slice(0, -1)}i`;
  return root;
}

function cutVerbEnding(word: string): string {
  for (const ending of ["ing", "ed"]) {
    if (!word.endsWith(ending)) continue;
    const root = word.slice(0, -ending.length);
    if (!/[aeiouy]/.test(root)) return word;
    if (root.length < 3) return ending === "ed" ? word.slice(0, -1) : word;
    return /([bdfgmnprt])\1$/.test(root) ? root.slice(0, -1) : root;
  }
  return word;
}
