import ipaddr from "ipaddr.js";
import { AppError } from "../lib/errors.ts";
import { classifyAddress, inRange, isMetadataName, normalizeHost, parseAddress } from "./address-classes.ts";

export interface EgressRules {
  /** True on a personal machine, which nobody else can reach: its user may call their own network. */
  allowPrivate: boolean;
  /** Hosts, `host:port`s, `*.domain`s, addresses and CIDR ranges. Allows blocked targets; blocks nothing. */
  allow: readonly string[];
  /** The same forms. Overrides `allow`. */
  deny: readonly string[];
}

export interface EgressPolicy {
  /** Throws `egress_denied` if the name alone decides. Called before the name is resolved. */
  checkHost(host: string, port: number): void;
  /** Throws `egress_denied` unless every address of the name is allowed. */
  checkAddresses(host: string, port: number, addresses: readonly string[]): void;
}

interface Rule {
  port: number | undefined;
  range?: [ipaddr.IPv4 | ipaddr.IPv6, number];
  name?: string;
  /** `.example.com` for `*.example.com`. */
  suffix?: string;
}

export function createEgressPolicy({ allowPrivate, allow, deny }: EgressRules): EgressPolicy {
  const allowRules = allow.map(parseRule);
  const denyRules = deny.map(parseRule);

  function checkHost(host: string, port: number): void {
    const name = normalizeHost(host);
    if (isMetadataName(name)) throw metadataDenied(name);
    if (denyRules.some((rule) => matchesName(rule, name, port))) throw closedByOperator(name);
  }

  return {
    checkHost,
    checkAddresses(host, port, addresses) {
      checkHost(host, port);
      const name = normalizeHost(host);
      const nameIsAllowed = allowRules.some((rule) => matchesName(rule, name, port));
      for (const text of addresses) {
        const address = parseAddress(text);
        // An address that cannot be parsed cannot be classified, so it is denied.
        if (!address) throw privateDenied(name);
        const addressClass = classifyAddress(address);
        if (addressClass === "metadata") throw metadataDenied(name);
        if (denyRules.some((rule) => matchesAddress(rule, address, port))) throw closedByOperator(name);
        if (addressClass === "public" || allowPrivate || nameIsAllowed) continue;
        if (!allowRules.some((rule) => matchesAddress(rule, address, port))) throw privateDenied(name);
      }
    },
  };
}

function parseRule(entry: string): Rule {
  const text = entry.trim();
  if (ipaddr.isValidCIDR(text)) {
    const [base, bits] = ipaddr.parseCIDR(text);
    return { port: undefined, range: [base, bits] };
  }
  const whole = parseAddress(text);
  if (whole) return { port: undefined, range: exactly(whole) };

  const [, host = "", portText] = /^(\[[^\]]+\]|[^:/\s@]+)(?::(\d{1,5}))?$/.exec(text) ?? [];
  const port = portText === undefined ? undefined : Number(portText);
  const name = normalizeHost(host);
  if (name === "" || (port !== undefined && port > 65_535)) throw invalidRule(entry);

  const address = parseAddress(host);
  if (address) return { port, range: exactly(address) };
  if (name.startsWith("*.") && !name.includes("*", 1)) return { port, suffix: name.slice(1) };
  if (/[*[\]]/.test(name)) throw invalidRule(entry);
  return { port, name };
}

function exactly(address: ipaddr.IPv4 | ipaddr.IPv6): [ipaddr.IPv4 | ipaddr.IPv6, number] {
  return [address, address.kind() === "ipv4" ? 32 : 128];
}

function matchesName(rule: Rule, name: string, port: number): boolean {
  if (rule.port !== undefined && rule.port !== port) return false;
  return rule.name === name || (rule.suffix !== undefined && name.endsWith(rule.suffix));
}

function matchesAddress(rule: Rule, address: ipaddr.IPv4 | ipaddr.IPv6, port: number): boolean {
  if (rule.port !== undefined && rule.port !== port) return false;
  return rule.range !== undefined && inRange(address, rule.range);
}

// No message contains the resolved address: it would reveal the private network to users.
function metadataDenied(host: string): AppError {
  return denied(`"${host}" is a cloud metadata address. Workflows can never reach it.`);
}

function closedByOperator(host: string): AppError {
  return denied(`Outbound requests to "${host}" are blocked by EGRESS_DENY.`);
}

function privateDenied(host: string): AppError {
  return denied(
    `"${host}" is not on the public internet, so outbound requests to it are blocked. The operator can allow it with EGRESS_ALLOW.`,
  );
}

function denied(message: string): AppError {
  return new AppError("egress_denied", message);
}

function invalidRule(entry: string): AppError {
  return new AppError(
    "invalid_egress_rule",
    `"${entry}" is not a host, a host:port, an address or a CIDR range.`,
  );
}
