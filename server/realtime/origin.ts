/**
 * Whether a socket may be opened from this page. Browsers send `Origin` and nobody can forge it in one; a program
 * sends none and has only its token. The service's own page and the operator's list may, every other may not.
 */
export function isAllowedOrigin(
  origin: string | undefined,
  host: string | undefined,
  { corsOrigins, publicUrl }: { corsOrigins: readonly string[]; publicUrl: string | undefined },
): boolean {
  if (origin === undefined) return true;
  if (corsOrigins.includes(origin)) return true;
  if (!URL.canParse(origin)) return false;
  const given = new URL(origin);
  if (publicUrl !== undefined && given.origin === new URL(publicUrl).origin) return true;
  return host !== undefined && given.host === host.toLowerCase();
}
