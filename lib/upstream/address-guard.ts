import { type LookupAddress, type LookupOptions, lookup } from "node:dns";
import { BlockList, isIP } from "node:net";

// Two lists, because an IPv4 address would also match the mapped range of IPv6.
const refused4 = new BlockList();
const refused6 = new BlockList();
const v4: [string, number][] = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 3],
];
const v6: [string, number][] = [
  ["::", 96],
  ["::ffff:0:0", 96],
  ["::ffff:0:0:0", 96],
  ["64:ff9b::", 96],
  ["64:ff9b:1::", 48],
  ["100::", 64],
  ["2001::", 32],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["fc00::", 7],
  ["fe80::", 10],
  ["fec0::", 10],
  ["ff00::", 8],
];
for (const [net, prefix] of v4) refused4.addSubnet(net, prefix, "ipv4");
for (const [net, prefix] of v6) refused6.addSubnet(net, prefix, "ipv6");

/**
 * True for an address that is not public: loopback, private, link-local, carrier-grade NAT, metadata, their embedded,
 * mapped and translated forms, multicast, unspecified. Also true for texts that are not addresses.
 * Source: docs/reliability.md#s3-9.
 */
export function isPrivateAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 0) return true;
  return family === 6 ? refused6.check(address, "ipv6") : refused4.check(address, "ipv4");
}

type LookupCallback = (
  error: NodeJS.ErrnoException | null,
  address: string | LookupAddress[],
  family?: number,
) => void;

/**
 * A `lookup` for sockets that refuses private addresses when a connection is made, so that a name that resolves
 * differently later (DNS rebinding) is refused too. Throws: an error with code EPRIVATEADDRESS.
 * Source: docs/reliability.md#s3-9.
 */
export function guardedLookup(hostname: string, options: LookupOptions, callback: LookupCallback): void {
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    if (error) return callback(error, []);
    const allowed = addresses.filter((entry) => !isPrivateAddress(entry.address));
    const first = allowed[0];
    if (first === undefined) return callback(privateAddressError(hostname), []);
    if (options.all) return callback(null, allowed);
    return callback(null, first.address, first.family);
  });
}

/** The error of a connection that the guard refused. */
export function privateAddressError(host: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`refused to dial a private address for ${host}`), {
    code: "EPRIVATEADDRESS",
  });
}
