import { expect, test } from "vitest";
import { readConfig } from "../config.ts";
import { createEgressPolicy } from "./egress-policy.ts";

const PUBLIC = "93.184.215.14";
const denied = expect.objectContaining({ name: "AppError", code: "egress_denied", retryable: false });

function policy(
  options: { allowPrivate?: boolean; allow?: readonly string[]; deny?: readonly string[] } = {},
) {
  const { allowPrivate = false, allow = [], deny = [] } = options;
  const { checkAddresses } = createEgressPolicy({ allowPrivate, allow, deny });
  return (host: string, port: number, ...addresses: string[]) =>
    checkAddresses(host, port, addresses.length > 0 ? addresses : [host]);
}

test("[S3] a service that others can reach allows the public internet only", () => {
  const check = policy();
  check("example.com", 443, PUBLIC);
  for (const address of ["127.0.0.1", "10.0.0.1", "::1", "::ffff:10.0.0.1", "0.0.0.0", "fe80::1%eth0"])
    expect(() => check("name.example", 80, address), address).toThrow(denied);
});

test.each([
  {},
  { HOST: "127.0.0.1" },
  { HOST: "::1" },
  { HOST: "localhost" },
  { PUBLIC_URL: "http://localhost:3000" },
  { PUBLIC_URL: "http://baton.localhost" },
])("only this machine can reach the service with %j, so the private ranges are allowed", (environment) => {
  const check = policy(readConfig(environment).egress);
  check("localhost", 3000, "127.0.0.1", "::1");
  check("nas.local", 80, "192.168.1.10");
});

test.each([
  { HOST: "0.0.0.0" },
  { HOST: "::" },
  { HOST: "192.168.1.2" },
  { HOST: "baton.example.com" },
  { PUBLIC_URL: "https://baton.example.com" },
  { PUBLIC_URL: "http://192.168.1.2:3000" },
  { TRUST_PROXY: "1" },
  { TRUST_PROXY: "true" },
])("[S3] others can reach the service with %j, so the private ranges are blocked", (environment) => {
  const { egress } = readConfig(environment);
  for (const address of ["127.0.0.1", "192.168.1.10"])
    expect(() => policy(egress)("name.example", 3000, address)).toThrow(denied);
  const opened = readConfig({ ...environment, EGRESS_ALLOW: "192.168.1.10" }).egress;
  policy(opened)("name.example", 3000, "192.168.1.10");
  expect(() => policy(opened)("name.example", 3000, "127.0.0.1")).toThrow(denied);
});

test("one blocked address among allowed ones blocks the name", () => {
  expect(() => policy()("mixed.example", 80, PUBLIC, "10.0.0.1")).toThrow(denied);
});

test("an address that cannot be parsed is blocked", () => {
  expect(() => policy()("odd.example", 80, "not an address")).toThrow(denied);
});

test.each<[string, string, string, number, string]>([
  ["a name", "intranet.example", "intranet.example", 80, "10.0.0.5"],
  ["a name in capitals, with its final dot", "Intranet.Example.", "intranet.example", 80, "10.0.0.5"],
  ["a name and port", "intranet.example:8080", "intranet.example", 8080, "10.0.0.5"],
  ["a wildcard", "*.corp.example", "a.b.corp.example", 80, "10.0.0.5"],
  ["an address", "10.0.0.5", "any.example", 80, "10.0.0.5"],
  ["an address and port", "10.0.0.5:8080", "any.example", 8080, "10.0.0.5"],
  ["a range", "10.0.0.0/8", "any.example", 80, "10.200.0.5"],
  ["a range, for a mapped address", "10.0.0.0/8", "any.example", 80, "::ffff:10.0.0.5"],
  ["a v6 address", "fd12::5", "any.example", 80, "fd12::5"],
  ["a v6 address in brackets with a port", "[fd12::5]:8080", "any.example", 8080, "fd12::5"],
  ["a v6 range", "fd12::/16", "any.example", 80, "fd12::5"],
])("EGRESS_ALLOW allows by %s", (_name, entry, host, port, address) => {
  policy({ allow: [entry] })(host, port, address);
  expect(() => policy()(host, port, address)).toThrow(denied);
});

test.each<[string, string, string, number, string]>([
  ["another port", "intranet.example:8080", "intranet.example", 80, "10.0.0.5"],
  ["another port of an address", "10.0.0.5:8080", "10.0.0.5", 80, "10.0.0.5"],
  ["a name that merely ends alike", "*.corp.example", "evilcorp.example", 80, "10.0.0.5"],
  ["the bare domain of a wildcard", "*.corp.example", "corp.example", 80, "10.0.0.5"],
  ["a subdomain of a plain name", "corp.example", "a.corp.example", 80, "10.0.0.5"],
  ["an address outside the range", "10.0.0.0/24", "any.example", 80, "10.0.1.5"],
])("EGRESS_ALLOW does not allow %s", (_name, entry, host, port, address) => {
  expect(() => policy({ allow: [entry] })(host, port, address)).toThrow(denied);
});

test("an allowed address allows no neighbour of it, also of IPv6", () => {
  const check = policy({ allow: ["fd00:1::1", "10.0.0.1"] });
  check("name.example", 80, "fd00:1::1", "10.0.0.1");
  for (const address of ["fd00:1::2", "10.0.0.2"])
    expect(() => check("name.example", 80, address), address).toThrow(denied);
});

test("the last port can be named", () => {
  const check = policy({ allow: ["nas.local:65535"] });
  check("nas.local", 65_535, "10.0.0.1");
  expect(() => check("nas.local", 65_534, "10.0.0.1")).toThrow(denied);
});

test("EGRESS_ALLOW does not block the rest of the internet", () => {
  policy({ allow: ["intranet.example"] })("example.com", 443, PUBLIC);
});

test.each(["example.com", "example.com:443", "*.com", PUBLIC, "93.184.0.0/16"])(
  "EGRESS_DENY %s wins over everything that opens",
  (entry) => {
    const check = policy({ allowPrivate: true, deny: [entry], allow: ["example.com", "0.0.0.0/0"] });
    expect(() => check("example.com", 443, PUBLIC)).toThrow(denied);
    check("example.org", 443, "93.185.0.1");
  },
);

test("a denied range is blocked in its IPv4-mapped form too", () => {
  const check = policy({ allowPrivate: true, deny: ["10.0.0.0/8"] });
  expect(() => check("a.example", 80, "::ffff:10.0.0.1")).toThrow(denied);
});

test("no setting allows a metadata address", () => {
  const check = policy({
    allowPrivate: true,
    allow: ["169.254.169.254", "0.0.0.0/0", "::/0", "metadata.google.internal", "my.example"],
  });
  for (const address of ["169.254.169.254", "fd00:ec2::254", "100.100.100.200", "::ffff:169.254.169.254"])
    expect(() => check("my.example", 80, address), address).toThrow(denied);
  expect(() => check("metadata.google.internal", 80, PUBLIC)).toThrow(denied);
  expect(() => check("Metadata.Google.Internal.", 80, PUBLIC)).toThrow(denied);
});

test("an error does not reveal the address of a name", () => {
  expect(() => policy()("intranet.example", 80, "10.11.12.13")).toThrow(
    expect.objectContaining({ message: expect.not.stringContaining("10.11.12.13") }),
  );
});

test.each(["", " ", "http://example.com", "user@example.com", "a b", "example.com:99999", "a.*.com", "*"])(
  "the entry %j is rejected at start",
  (entry) => {
    expect(() => policy({ allow: [entry] })).toThrow(
      expect.objectContaining({ code: "invalid_egress_rule" }),
    );
    expect(() => policy({ deny: [entry] })).toThrow(expect.objectContaining({ code: "invalid_egress_rule" }));
  },
);
