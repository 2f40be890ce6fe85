import { bodyFor } from "../payloads";
import { convertedAlias, sameProtocolAlias } from "../tollgate-config";
import type { TollgateServer } from "../tollgate-server";
import { type Arm, chatTarget } from "./arm";

/** The product, everything on; client and node speak the same protocol. */
export function sameProtocolArm(name: string, features: string, server: TollgateServer): Arm {
  return gatewayArm(name, features, server, sameProtocolAlias);
}

/** The product, everything on; the client speaks Chat Completions and the node Messages. */
export function convertedArm(name: string, features: string, server: TollgateServer): Arm {
  return gatewayArm(name, features, server, convertedAlias);
}

function gatewayArm(
  name: string,
  features: string,
  server: TollgateServer,
  aliasOf: (payload: string) => string,
): Arm {
  return {
    name,
    features,
    pid: server.child.pid,
    target: (payload) =>
      chatTarget(server.url, bodyFor(payload, aliasOf(payload.name)), {
        authorization: `Bearer ${server.key}`,
      }),
    verify: (counts) => server.verify(counts),
    said: () => server.child.output,
  };
}
