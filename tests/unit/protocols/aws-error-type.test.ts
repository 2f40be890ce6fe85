import { describe, expect, test } from "vitest";
import { quotaWaitMs } from "@/lib/protocols/failures/aws-error-type";
import { readFailure } from "@/lib/protocols/failures/failure-body";
import { classifyFailure } from "@/lib/protocols/failures/failure-class";
import { readVertexFailure } from "@/lib/protocols/failures/vertex-failure";

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

  test("about a quota lasts a minute where nothing says how long", () => {
    expect(quotaWaitMs("ServiceQuotaExceededException:http://x/")).toBe(60_000);
    expect([quotaWaitMs("ThrottlingException"), quotaWaitMs(null)]).toEqual([null, null]);
  });
});

/** Source: docs/clouds.md#vertex. */
describe("a refusal of Vertex AI", () => {
  const refusal = (code: number, status: string, message: string) =>
    readVertexFailure(code, JSON.stringify([{ error: { code, message, status } }]));
  const permission = "Permission 'aiplatform.endpoints.predict' denied on resource";

  test("of a model leaves the other models of the node alone, that of a project does not", () => {
    const model = `${permission} '//aiplatform.googleapis.com/projects/p/locations/l/publishers/anthropic/models/m' (or it may not exist).`;
    expect(classifyFailure("status", refusal(403, "PERMISSION_DENIED", model), "vertex")).toMatchObject({
      fault: "ours",
      health: "soft",
      failover: true,
    });
    const api = "Vertex AI API has not been used in project 1 before or it is disabled.";
    expect(classifyFailure("status", refusal(403, "PERMISSION_DENIED", api), "vertex").health).toBe(
      "credential",
    );
  });

  test.each([
    [401, "UNAUTHENTICATED", "credential"],
    [404, "NOT_FOUND", "soft"],
    [429, "RESOURCE_EXHAUSTED", "cooldown"],
    [400, "INVALID_ARGUMENT", "none"],
    [503, "UNAVAILABLE", "cooldown"],
  ])("with %i %s has the effect %s on the node", (code, status, health) => {
    expect(classifyFailure("status", refusal(code, status, "No."), "vertex").health).toBe(health);
  });
});
