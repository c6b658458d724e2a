import ipaddr from "ipaddr.js";
import { AppError } from "../lib/errors.ts";
import { inRange, parseAddress } from "./address-classes.ts";

/** Throws `address_not_allowed`. `allowed` has addresses and CIDR ranges; null allows all. */
export function assertAddress(allowed: readonly string[] | null, address: string): void {
  if (allowed === null || isListed(allowed, address)) return;
  throw new AppError(
    "address_not_allowed",
    `This API key may not be used from ${address}. Add the address to a new key in Settings → API keys.`,
    { details: { address } },
  );
}

function isListed(allowed: readonly string[], address: string): boolean {
  const caller = parseAddress(address);
  if (caller === undefined) return false;
  return allowed.some((entry) => {
    if (entry.includes("/")) return inRange(caller, ipaddr.parseCIDR(entry));
    return parseAddress(entry)?.toString() === caller.toString();
  });
}
