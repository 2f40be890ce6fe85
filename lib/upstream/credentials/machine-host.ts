import { BlockList, isIP } from "node:net";

const addresses = new BlockList();
addresses.addSubnet("127.0.0.0", 8, "ipv4");
addresses.addSubnet("169.254.0.0", 16, "ipv4");
addresses.addAddress("::1", "ipv6");
addresses.addAddress("fd00:ec2::23", "ipv6");
addresses.addAddress("fd00:ec2::254", "ipv6");

const names = new Set(["localhost", "metadata.google.internal"]);

/**
 * True for the host of a service that a machine offers to its own programs: loopback, link-local, and the names and
 * addresses of metadata servers. Shape: a host name as of `URL`. Source: docs/clouds.md#ambient.
 */
export function isMachineHost(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
  const family = isIP(host);
  if (family === 0) return names.has(host.toLowerCase());
  return addresses.check(host, family === 6 ? "ipv6" : "ipv4");
}
