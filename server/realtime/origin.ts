/**
 * True if a page of this origin may open a socket: the service's own pages and the operator's list. Browsers always send
 * `Origin` and scripts cannot forge it; other programs send none and authenticate by their token alone.
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
