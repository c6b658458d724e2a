import { expect, test } from "vitest";
import { readConfig } from "../config.ts";
import { createHostCheck } from "./allowed-hosts.ts";

const check = (environment: Record<string, string>, header: string | undefined) =>
  createHostCheck(readConfig(environment))(header);

test.each([
  "localhost",
  "LOCALHOST:3000",
  "localhost.",
  "baton.localhost:3000",
  "127.0.0.1:3000",
  "127.8.9.10",
  "[::1]",
  "[::1]:3000",
])("the loopback name %s is always allowed", (header) => {
  expect(check({}, header)).toBe(true);
});

test.each([
  "rebinding.example",
  "rebinding.example:3000",
  "localhost.rebinding.example",
  "127.0.0.1.rebinding.example",
  "notlocalhost",
  "192.168.1.2:3000",
  "[fe80::1]:3000",
  "localhost@rebinding.example",
  "localhost:3000:3000",
  "localhost%2e.rebinding.example",
  "",
])("[S35] the Host header %j is not allowed", (header) => {
  expect(check({}, header)).toBe(false);
});

test("PUBLIC_URL, HOST and ALLOWED_HOSTS add names, without their ports and regardless of case", () => {
  const environment = {
    HOST: "192.168.1.2",
    PUBLIC_URL: "https://Baton.example.com:8443/base",
    ALLOWED_HOSTS: "api, *.Apps.example.com, 10.0.0.7, fd00::7",
  };
  for (const header of [
    "192.168.1.2:3000",
    "baton.EXAMPLE.com",
    "baton.example.com:8443",
    "api:3000",
    "one.apps.example.com",
    "10.0.0.7:3000",
    "[fd00::7]:3000",
    "localhost",
  ])
    expect([header, check(environment, header)]).toEqual([header, true]);
  for (const header of ["apps.example.com", "evilapps.example.com", "192.168.1.3", "api.example.com"])
    expect([header, check(environment, header)]).toEqual([header, false]);
});

test("a request without a Host header is allowed, because only HTTP/1.0 programs send it", () => {
  expect(check({}, undefined)).toBe(true);
});

test("a header of dots is read in linear time", () => {
  expect(check({}, `${".".repeat(1_000_000)}x`)).toBe(false);
});
