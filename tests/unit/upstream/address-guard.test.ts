import { expect, it } from "vitest";
import { guardedLookup, isPrivateAddress } from "@/lib/upstream/address-guard";

const inside = [
  "127.0.0.1",
  "127.1.2.3",
  "0.0.0.0",
  "10.1.2.3",
  "100.64.0.1",
  "169.254.169.254",
  "172.31.255.255",
  "192.168.0.1",
  "224.0.0.1",
  "255.255.255.255",
  "::",
  "::1",
  "::ffff:127.0.0.1",
  "::ffff:8.8.8.8",
  "::7f00:1",
  "::ffff:0:127.0.0.1",
  "64:ff9b::7f00:1",
  "2001:0:7f00:1::",
  "fec0::1",
  "fc00::1",
  "fe80::1",
  "ff02::1",
  "not an address",
];

it.each(inside)("%s is not dialled for a guarded node", (address) => {
  expect(isPrivateAddress(address)).toBe(true);
});

it.each(["8.8.8.8", "1.1.1.1", "172.32.0.1", "2606:4700::1111"])("%s may be dialled", (address) => {
  expect(isPrivateAddress(address)).toBe(false);
});

/** Source: docs/reliability.md#r-137. */
it("a name that resolves to a private address is refused at the moment of dialling", async () => {
  const error = await new Promise<NodeJS.ErrnoException | null>((resolve) =>
    guardedLookup("localhost", {}, (failure) => resolve(failure)),
  );
  expect(error?.code).toBe("EPRIVATEADDRESS");
});
