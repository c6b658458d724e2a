/** Goes the way of the browser, with cookies, until a redirect leads to `end`; returns that address. */
export async function followRedirects(start: string, end: string): Promise<URL> {
  const cookies = new Map<string, string>();
  let next = start;
  while (!next.startsWith(end)) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const response = await fetch(next, { redirect: "manual", headers: { cookie } });
    for (const line of response.headers.getSetCookie()) {
      const [pair = ""] = line.split(";");
      cookies.set(pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1));
    }
    const location = response.headers.get("location");
    if (location === null)
      throw new Error(`the provider returned ${response.status}: ${await response.text()}`);
    next = new URL(location, next).href;
  }
  return new URL(next);
}
