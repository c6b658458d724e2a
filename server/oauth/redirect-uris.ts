export type RedirectKind = "web" | "loopback" | "app";

const MAX_LENGTH = 2000;
const LOOPBACK_HOSTS = new Set(["localhost", "127.0.0.1", "[::1]"]);
/** Schemes that a browser or the system handles itself: they run code, open files or other programs. */
const REFUSED_SCHEMES = new Set(
  (
    "about blob chrome chrome-extension data devtools edge facetime file filesystem ftp geo intent jar javascript ldap " +
    "livescript magnet mailto mocha moz-extension ms-its mhtml resource rtsp sms smb ssh tel telnet urn vbscript view-source ws wss"
  ).split(" "),
);
/** RFC 8252: `com.example.app:/callback`. In practice also `cursor://host/path`. */
const APP_URI = /^(?:[a-z][a-z0-9+-]*\.[a-z0-9.+-]+:|[a-z][a-z0-9.+-]*:\/\/[^/])/;

/** How a browser returns to this URI; undefined if a client may not use it. */
export function redirectKindOf(uri: string): RedirectKind | undefined {
  // Browsers read a backslash as a slash and drop white space: the host on the consent screen would not be the real one.
  if (uri.length > MAX_LENGTH || /[\s\\#\p{C}]/u.test(uri) || !URL.canParse(uri)) return undefined;
  const { protocol, hostname, username, password } = new URL(uri);
  if (username !== "" || password !== "") return undefined;
  if (protocol === "https:") return "web";
  if (protocol === "http:") return LOOPBACK_HOSTS.has(hostname) ? "loopback" : undefined;
  const scheme = protocol.slice(0, -1);
  return !REFUSED_SCHEMES.has(scheme) && !scheme.startsWith("ms-") && APP_URI.test(uri) ? "app" : undefined;
}

/** Exact, except that a program on the user's computer may listen on any port (RFC 8252, 7.3). */
export function isRegisteredRedirect(registered: readonly string[], given: string): boolean {
  if (registered.includes(given)) return true;
  if (redirectKindOf(given) !== "loopback") return false;
  return registered.some(
    (uri) => redirectKindOf(uri) === "loopback" && withoutPort(uri) === withoutPort(given),
  );
}

/** What the user recognizes: the host, in ASCII so that look-alike letters are visible, or the scheme of an app. */
export function redirectTargetOf(uri: string): string {
  const { protocol, host } = new URL(uri);
  return redirectKindOf(uri) === "app" ? protocol : host;
}

function withoutPort(uri: string): string {
  const url = new URL(uri);
  url.port = "";
  return url.href;
}

/** Appended as text: the client compares the part that it registered character by character. */
export function addToRedirect(uri: string, parameters: Record<string, string | undefined>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) query.set(name, value);
  return `${uri}${uri.includes("?") ? "&" : "?"}${query.toString()}`;
}
