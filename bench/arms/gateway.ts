import { bodyFor, responsesBodyFor } from "../payloads";
import { convertedAlias, sameProtocolAlias } from "../tollgate-config";
import type { TollgateServer } from "../tollgate-server";
import { type Arm, chatTarget, responsesTarget } from "./arm";

/** The product with all features; client and node use the same protocol. */
export function sameProtocolArm(name: string, features: string, server: TollgateServer): Arm {
  return gatewayArm(name, features, server, sameProtocolAlias);
}

/** The product with all features; the client uses Chat Completions and the node Messages. */
export function convertedArm(name: string, features: string, server: TollgateServer): Arm {
  return gatewayArm(name, features, server, convertedAlias);
}

/** The product with all features; the client uses Responses and the node Chat Completions. */
export function responsesArm(name: string, features: string, server: TollgateServer): Arm {
  const credential = { authorization: bearer(server.key) };
  return {
    ...sameProtocolArm(name, features, server),
    target: (payload) =>
      responsesTarget(server.url, responsesBodyFor(payload, sameProtocolAlias(payload.name)), credential),
  };
}

/** The same protocol, with one of many keys drawn for each request. */
export function keysArm(
  name: string,
  features: string,
  server: TollgateServer,
  keys: readonly string[],
): Arm {
  const arm = sameProtocolArm(name, features, server);
  const credentials = keys.map(bearer);
  return { ...arm, target: (payload) => ({ ...arm.target(payload), credentials }) };
}

/** Several processes on one database, with one of many keys drawn for each request; their own use is not measured. */
export function replicasArm(
  name: string,
  features: string,
  servers: readonly [TollgateServer, ...TollgateServer[]],
  keys: readonly string[],
): Arm {
  const arms = servers.map((server) => keysArm(name, features, server, keys));
  return {
    ...keysArm(name, features, servers[0], keys),
    pid: null,
    targets: (payload) => arms.map((arm) => arm.target(payload)),
  };
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
    pid: server.pid,
    target: (payload) =>
      chatTarget(server.url, bodyFor(payload, aliasOf(payload.name)), {
        authorization: bearer(server.key),
      }),
    verify: (counts) => server.verify(counts),
    said: () => server.child.output,
  };
}

function bearer(key: string): string {
  return `Bearer ${key}`;
}
