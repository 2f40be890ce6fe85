import { describe, expect, test } from "vitest";
import { readFailure } from "@/lib/protocols/failures/failure-body";
import { classifyFailure } from "@/lib/protocols/failures/failure-class";

const classOf = (status: number, type: string) =>
  classifyFailure("status", { ...readFailure(status, '{"message":"x"}'), type }, "bedrock");

/** Source: docs/clouds.md#bedrock. */
describe("an error of Bedrock", () => {
  test.each([
    [400, "ValidationException", { fault: "client", failover: false, health: "none" }],
    [400, "IncompleteSignature", { health: "credential", failover: true }],
    [403, "InvalidSignatureException", { health: "credential", failover: true }],
    [403, "UnrecognizedClientException", { health: "credential", failover: true }],
    [400, "ExpiredTokenException", { health: "credential", failover: true }],
    [400, "AccessDeniedException", { fault: "ours", health: "soft", failover: true }],
    [403, "AccessDeniedException", { fault: "ours", health: "soft", failover: true }],
    [404, "ResourceNotFoundException", { fault: "ours", health: "soft", failover: true }],
    [408, "ModelTimeoutException", { fault: "upstream", health: "soft", failover: true }],
    [424, "ModelErrorException", { fault: "upstream", health: "soft", failover: true }],
    [429, "ThrottlingException", { health: "cooldown", failover: true }],
    [400, "ServiceQuotaExceededException", { health: "cooldown", failover: true }],
    [429, "ModelNotReadyException", { health: "cooldown", failover: true }],
    [503, "ServiceUnavailableException", { health: "cooldown", failover: true }],
  ])("with the status %i and the type %s is told by its type", (status, type, expected) => {
    for (const written of [type, `${type}:http://internal.amazon.com/coral/`, `com.amazon.coral#${type}`])
      expect(classOf(status, written)).toMatchObject(expected);
  });

  test("has its type in its body where no header tells it", () => {
    expect(readFailure(403, '{"__type":"com.amazon#ExpiredTokenException","message":"x"}').type).toBe(
      "com.amazon#ExpiredTokenException",
    );
  });

  test("of a type that is not known is told by its status; 424 is a fault of the node", () => {
    expect(classOf(403, "SomethingNew")).toMatchObject({ health: "credential" });
    expect(classOf(424, "constructor")).toMatchObject({ fault: "upstream", failover: true });
  });
});
