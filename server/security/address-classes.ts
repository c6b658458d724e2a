import ipaddr from "ipaddr.js";
import { trimEndOf } from "../../contract/trim-end.ts";

type Ip = ipaddr.IPv4 | ipaddr.IPv6;

/**
 * `metadata`: returns credentials of a cloud machine without authentication; never reachable.
 * `private`: every address outside the public internet; reachable if the operator allows it.
 */
export type AddressClass = "public" | "private" | "metadata";

const METADATA_RANGES = [
  "169.254.0.0/16", // link-local: AWS, Azure, Google, Oracle, DigitalOcean, ECS task credentials
  "100.100.100.200/32", // Alibaba
  "168.63.129.16/32", // Azure's wire server, a public address that only its own machines reach
  "192.0.0.192/32", // Oracle
  "fd00:ec2::/32", // AWS
  "fd20:ce::254/128", // Google
].map((range) => ipaddr.parseCIDR(range));

const METADATA_NAMES = new Set(["metadata", "metadata.google.internal", "metadata.goog", "instance-data"]);
const METADATA_SUFFIXES = [".metadata.google.internal", "instance-data.ec2.internal"];

const MAPPED = ipaddr.parseCIDR("::ffff:0:0/96");
const NAT64 = ipaddr.parseCIDR("64:ff9b::/96");
// The allocated part of IPv6. ipaddr.js calls the rest "unicast" as well.
const GLOBAL_IPV6 = ipaddr.parseCIDR("2000::/3");

/** Lower case, without brackets, trailing dot and the zone of a link-local address. */
export function normalizeHost(host: string): string {
  const bare = host.startsWith("[") && host.endsWith("]") ? host.slice(1, -1) : host;
  return trimEndOf(bare.toLowerCase(), ".").replace(/%.*$/, "");
}

/** The address that packets reach: `::ffff:10.0.0.1` and `64:ff9b::10.0.0.1` are 10.0.0.1. */
export function parseAddress(text: string): Ip | undefined {
  const host = normalizeHost(text);
  if (!ipaddr.IPv6.isValid(host)) {
    return ipaddr.IPv4.isValidFourPartDecimal(host) ? ipaddr.IPv4.parse(host) : undefined;
  }
  const address = ipaddr.IPv6.parse(host);
  if (!inRange(address, MAPPED) && !inRange(address, NAT64)) return address;
  return new ipaddr.IPv4(address.toByteArray().slice(12));
}

export function classifyAddress(address: Ip): AddressClass {
  if (METADATA_RANGES.some((range) => inRange(address, range))) return "metadata";
  if (isIpv4(address)) return address.range() === "unicast" ? "public" : "private";
  if (address.range() === "unicast" && inRange(address, GLOBAL_IPV6)) return "public";
  const leadsToMetadata = tunnelled(address).some((inner) => classifyAddress(inner) === "metadata");
  return leadsToMetadata ? "metadata" : "private";
}

export function isMetadataName(host: string): boolean {
  return METADATA_NAMES.has(host) || METADATA_SUFFIXES.some((suffix) => host.endsWith(suffix));
}

export function isLoopback(host: string): boolean {
  const name = normalizeHost(host);
  return name === "localhost" || parseAddress(name)?.range() === "loopback";
}

/** Browsers and resolvers take every name below `localhost` to loopback. */
export function isLoopbackName(host: string): boolean {
  return isLoopback(host) || normalizeHost(host).endsWith(".localhost");
}

/** One caller for rate limits: an IPv4 address, or the /64 network that a single IPv6 subscriber controls. */
export function clientNetwork(ip: string): string {
  const address = parseAddress(ip);
  if (address === undefined || isIpv4(address)) return address?.toString() ?? ip;
  return `${address.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(":")}::/64`;
}

export function inRange(address: Ip, [base, bits]: [Ip, number]): boolean {
  return address.kind() === base.kind() && address.match(base, bits);
}

function isIpv4(address: Ip): address is ipaddr.IPv4 {
  return address.kind() === "ipv4";
}

/** The IPv4 address embedded in a 6to4, Teredo, local NAT64 or IPv4-compatible address. */
function tunnelled(address: ipaddr.IPv6): ipaddr.IPv4[] {
  const bytes = address.toByteArray();
  const last = bytes.slice(12);
  return [bytes.slice(2, 6), last, last.map((byte) => byte ^ 0xff)].map((part) => new ipaddr.IPv4(part));
}
