import { expect, test } from "vitest";
import { isHostEntry } from "../../contract/connections.ts";
import { isBoundHost, renderHosts } from "./host-binding.ts";

test.each<[string[], string, boolean]>([
  [["api.example.com"], "https://api.example.com/a", true],
  [["api.example.com"], "https://API.example.com:443/a", true],
  [["api.example.com"], "http://api.example.com/a", false],
  [["api.example.com"], "http://api.example.com:443/a", false],
  [["api.example.com"], "https://api.example.com:8443/a", false],
  [["api.example.com"], "https://api.example.com.evil.example/a", false],
  [["api.example.com"], "https://evil-api.example.com/a", false],
  [["api.example.com"], "https://x.api.example.com/a", false],
  [["api.example.com"], "https://evil.example/@api.example.com", false],
  [["*.example.com"], "https://a.b.example.com/", true],
  [["*.example.com"], "https://example.com/", false],
  [["*.example.com"], "https://evilexample.com/", false],
  [["api.example.com:8443"], "https://api.example.com:8443/", true],
  [["api.example.com:8443"], "https://api.example.com/", false],
  [["localhost:3000"], "http://localhost:3000/", true],
  [["localhost:80"], "http://localhost/", true],
  [["[::1]:3000"], "http://[::1]:3000/", true],
  [["127.0.0.1:3000"], "http://0x7f000001:3000/", true],
  [[], "https://api.example.com/", false],
])("the hosts %j and %s: %s", (hosts, url, allowed) => {
  expect(isBoundHost(hosts, new URL(url))).toBe(allowed);
});

test.each([
  "*",
  "*.com",
  "a.*.com",
  "https://a.com",
  "a.com/b",
  "user@a.com",
  "a b",
  "",
  "a.com:999999",
  "{{x}}",
])("%j is no host", (entry) => expect(isHostEntry(entry)).toBe(false));

test("a field of an app fills in part of a host, and can never name another one", () => {
  const hosts = ["{{connection.shop}}.example.com"];
  expect(renderHosts(hosts, { shop: " Ada " })).toEqual(["ada.example.com"]);
  for (const shop of ["evil.example/", "evil.example#", "a@evil.example", "evil.example?", "", "a\\b", "*"])
    expect(() => renderHosts(hosts, { shop }), shop).toThrow(/part of a host name/);
  expect(() => renderHosts(hosts, {})).toThrow(/part of a host name/);
  expect(() => renderHosts(["{{connection.constructor}}"], {})).toThrow(/part of a host name/);
});
