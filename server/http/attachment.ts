/** A download's name from a person's text: plain ASCII for old clients, the real one percent-encoded beside it. */
export function attachmentName(name: string): string {
  const tidy = [...name].map((char) => (/[\p{Cc}\p{Cs}/\\]/u.test(char) ? "_" : char)).join("");
  const ascii = tidy.replaceAll(/[^\x20-\x7e]|["%]/g, "_");
  const encoded = encodeURIComponent(tidy).replaceAll(
    /['()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}
