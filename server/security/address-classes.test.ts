import { expect, test } from "vitest";
import {
  classifyAddress,
  clientNetwork,
  isLoopback,
  isLoopbackName,
  isMetadataName,
  parseAddress,
} from "./address-classes.ts";

function classOf(text: string): string {
  const address = parseAddress(text);
  return address ? classifyAddress(address) : "no address";
}

test.each([
  ["this network", "0.0.0.0"],
  ["this network, end", "0.255.255.255"],
  ["private 10/8", "10.0.0.1"],
  ["private 10/8, end", "10.255.255.255"],
  ["carrier NAT", "100.64.0.1"],
  ["carrier NAT, end", "100.127.255.255"],
  ["loopback", "127.0.0.1"],
  ["loopback, end", "127.255.255.254"],
  ["private 172.16/12", "172.16.0.1"],
  ["private 172.16/12, end", "172.31.255.255"],
  ["protocol assignments", "192.0.0.8"],
  ["documentation 1", "192.0.2.1"],
  ["6to4 relay", "192.88.99.1"],
  ["private 192.168/16", "192.168.0.1"],
  ["benchmarking", "198.18.0.1"],
  ["benchmarking, end", "198.19.255.255"],
  ["documentation 2", "198.51.100.1"],
  ["documentation 3", "203.0.113.1"],
  ["multicast", "224.0.0.1"],
  ["reserved", "240.0.0.1"],
  ["broadcast", "255.255.255.255"],
  ["unspecified v6", "::"],
  ["loopback v6", "::1"],
  ["loopback v6 written out", "0:0:0:0:0:0:0:1"],
  ["loopback v6 in brackets", "[::1]"],
  ["unique local", "fc00::1"],
  ["unique local, upper half", "fdff:ffff::1"],
  ["link-local v6", "fe80::1"],
  ["link-local v6, end", "febf::1"],
  ["link-local v6 with a zone", "fe80::1%eth0"],
  ["site-local", "fec0::1"],
  ["multicast v6", "ff02::1"],
  ["documentation v6", "2001:db8::1"],
  ["documentation v6, new", "3fff::1"],
  ["discard", "100::1"],
  ["mapped loopback", "::ffff:127.0.0.1"],
  ["mapped loopback in hex", "::ffff:7f00:1"],
  ["mapped private", "::ffff:10.0.0.1"],
  ["IPv4-compatible loopback", "::7f00:1"],
  ["translated loopback", "::ffff:0:7f00:1"],
  ["NAT64 loopback", "64:ff9b::7f00:1"],
  ["NAT64 private", "64:ff9b::a00:1"],
  ["local NAT64", "64:ff9b:1::808:808"],
  ["6to4 of a private address", "2002:a00:1::1"],
  ["6to4 of a public address", "2002:808:808::1"],
  ["Teredo", "2001::1"],
  ["never assigned v6", "4000::1"],
])("[S3] %s (%s) is private", (_name, address) => {
  expect(classOf(address)).toBe("private");
});

test.each([
  ["AWS, Azure, Google", "169.254.169.254"],
  ["ECS task credentials", "169.254.170.2"],
  ["any link-local", "169.254.0.1"],
  ["any link-local, end", "169.254.255.255"],
  ["Alibaba", "100.100.100.200"],
  ["Azure's wire server", "168.63.129.16"],
  ["Oracle", "192.0.0.192"],
  ["AWS v6", "fd00:ec2::254"],
  ["EKS v6", "fd00:ec2::23"],
  ["Google v6", "fd20:ce::254"],
  ["mapped", "::ffff:169.254.169.254"],
  ["mapped in hex", "::ffff:a9fe:a9fe"],
  ["NAT64", "64:ff9b::a9fe:a9fe"],
  ["local NAT64", "64:ff9b:1::a9fe:a9fe"],
  ["IPv4-compatible", "::a9fe:a9fe"],
  ["translated", "::ffff:0:a9fe:a9fe"],
  ["6to4", "2002:a9fe:a9fe::1"],
  ["Teredo", "2001:0:1:2:3:4:5601:5601"],
])("[S3] %s (%s) is a metadata address", (_name, address) => {
  expect(classOf(address)).toBe("metadata");
});

test.each([
  "8.8.8.8",
  "1.1.1.1",
  "9.255.255.255",
  "11.0.0.0",
  "100.63.255.255",
  "100.128.0.0",
  "172.15.255.255",
  "172.32.0.0",
  "192.167.255.255",
  "192.169.0.0",
  "169.253.255.255",
  "169.255.0.0",
  "223.255.255.255",
  "2606:4700:4700::1111",
  "::ffff:8.8.8.8",
  "64:ff9b::808:808",
])("%s is public", (address) => {
  expect(classOf(address)).toBe("public");
});

test.each([
  "",
  "localhost",
  "example.com",
  "1.2.3",
  "0x7f.0.0.1",
  "017700000001",
  "256.1.1.1",
  "::g",
  "[::1",
  "::1]",
])("%j is no address", (text) => {
  expect(classOf(text)).toBe("no address");
});

test("metadata services are known by name as well", () => {
  for (const name of ["metadata.google.internal", "metadata.goog", "instance-data.ec2.internal"])
    expect(isMetadataName(name)).toBe(true);
  expect(isMetadataName("metadata.example.com")).toBe(false);
});

test("only loopback counts as loopback", () => {
  for (const host of ["localhost", "LOCALHOST.", "127.0.0.1", "127.1.2.3", "::1", "[::1]"])
    expect(isLoopback(host)).toBe(true);
  for (const host of ["0.0.0.0", "::", "10.0.0.1", "", "example.com", "localhost.example.com"])
    expect(isLoopback(host)).toBe(false);
});

test("names below localhost are loopback, names that end like one are not", () => {
  for (const host of ["localhost", "app.localhost", "A.Localhost.", "127.0.0.1"])
    expect(isLoopbackName(host)).toBe(true);
  for (const host of ["notlocalhost", "localhost.example.com", "10.0.0.1"])
    expect(isLoopbackName(host)).toBe(false);
});

test("an IPv6 subscriber is one caller, however many addresses of the network it uses", () => {
  expect(clientNetwork("2001:db8:a:b:1:2:3:4")).toBe("2001:db8:a:b::/64");
  expect(clientNetwork("2001:db8:a:b::99")).toBe("2001:db8:a:b::/64");
  expect(clientNetwork("2001:db8:a:c::99")).toBe("2001:db8:a:c::/64");
  expect(clientNetwork("203.0.113.7")).toBe("203.0.113.7");
  expect(clientNetwork("::ffff:203.0.113.7")).toBe("203.0.113.7");
  expect(clientNetwork("a pipe")).toBe("a pipe");
});
