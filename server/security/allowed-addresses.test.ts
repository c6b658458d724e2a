import { expect, test } from "vitest";
import { createKeySchema } from "../../contract/keys.ts";
import { assertAddress } from "./allowed-addresses.ts";

function isAllowed(allowed: readonly string[] | null, address: string): boolean {
  try {
    assertAddress(allowed, address);
    return true;
  } catch (error) {
    expect(error).toMatchObject({ code: "address_not_allowed", message: expect.stringContaining(address) });
    return false;
  }
}

test.each([
  [null, "198.51.100.1", true],
  [["203.0.113.7"], "203.0.113.7", true],
  [["203.0.113.7"], "203.0.113.8", false],
  [["203.0.113.7"], "::ffff:203.0.113.7", true],
  [["203.0.113.0/24"], "::ffff:cb00:7107", true],
  [["203.0.113.0/24"], "203.0.114.1", false],
  [["0.0.0.0/0"], "2001:db8::1", false],
  [["2001:db8::/32"], "2001:db8:ffff::1", true],
  [["2001:db8::/32"], "2001:db9::1", false],
  [["2001:DB8:0:0::1"], "2001:db8::1", true],
  [["::1", "203.0.113.7"], "127.0.0.1", false],
  [["::1", "203.0.113.7"], "203.0.113.7", true],
  [[], "203.0.113.7", false],
  [["203.0.113.7"], "unknown", false],
] as const)("of %j, %s is allowed: %s", (allowed, address, expected) => {
  expect(isAllowed(allowed, address)).toBe(expected);
});

test("every entry that the contract accepts can be compared, and others are refused with the reason", () => {
  for (const entry of ["203.0.113.7", "203.0.113.0/24", "::1", "2001:db8::/32", "::/0", "::ffff:1.2.3.4"]) {
    expect(createKeySchema.safeParse({ addresses: [entry] }).success).toBe(true);
    expect(() => isAllowed([entry], "2001:db8::1")).not.toThrow();
  }
  for (const entry of [
    "localhost",
    "203.0.113.0/33",
    "203.0.113",
    "1.2.3.4/",
    "010.0.0.1",
    "::1/129",
    "",
    "*",
  ])
    expect(createKeySchema.safeParse({ addresses: [entry] }).error?.issues[0]?.message).toMatch(/CIDR range/);
});
