import { describe, expect, test } from "vitest";
import { readFailure } from "@/lib/protocols/failures/failure-body";
import { classifyFailure } from "@/lib/protocols/failures/failure-class";

const said = (message: string, rest: object = {}) => ({ error: { message, ...rest } });
const classOf = (status: number, body: unknown) =>
  classifyFailure("status", readFailure(status, typeof body === "string" ? body : JSON.stringify(body)));

const content: Readonly<Record<string, unknown>> = {
  moderation: said("openai/gpt-4o requires moderation on this account. Your input was flagged.", {
    code: 403,
    metadata: { reasons: ["hate"], flagged_input: "x" },
  }),
  "a flag": said("Your request was flagged as potentially violating our usage policy."),
  "a flag alone": said("Flagged."),
  "a code": said("No.", { code: "content_policy_violation" }),
  "a type": said("No.", { type: "content_filter" }),
  "a code in capitals": said("No.", { status: "PROHIBITED_CONTENT" }),
  "an inner code": said("No.", { innererror: { code: "ResponsibleAIPolicyViolation" } }),
  "a reason beside the error": { error: "Forbidden", reason: "moderation_blocked" },
  "a policy": said("The request was blocked because it violates our policies"),
  "a content policy": said("Blocked by content management policy."),
  "a safety system": said("Your prompt was rejected by our safety system."),
  "responsible AI": said("Refused for responsible AI reasons"),
  "harmful content": said("Input data may contain inappropriate content.", {
    code: "data_inspection_failed",
  }),
  "a guardrail": said("Guardrail intervened."),
  "the end user's region": said("Not available in the end user's region."),
  "the country of the user": said("This content cannot be shown in the country of the user."),
  "plain text": "Request blocked: content policy violation",
  "another language": said("输入内容包含敏感信息"),
  "its guidelines beside a permission": {
    code: "The caller does not have permission to execute the specified operation",
    error: "Content violates usage guidelines. Team: t, API key ID: k, Failed check: SAFETY_CHECK_TYPE_BIO",
  },
};

const node: Readonly<Record<string, unknown>> = {
  nothing: {},
  "a page": "<html><h1>403 Forbidden: flagged by the safety firewall</h1></html>",
  "a wrong key": said("Incorrect API key provided.", { code: "invalid_api_key" }),
  "a permission": said("You have insufficient permissions for this operation.", { type: "permission_error" }),
  "a model": said("Project proj_x does not have access to model gpt-5.", { code: "model_not_found" }),
  "the organization's policy": said("Your organization policy does not allow this request."),
  "a policy of the organization by code": said("No.", { code: "organization_policy_violation" }),
  "an access policy": said("Denied by IAM policy for this resource"),
  "a data policy": said("Request rejected: no endpoint matches your data policy"),
  "a flagged account": said("Your account has been flagged for review."),
  "a suspended account": said("Your account was suspended: content violating our usage policies was found."),
  "terminated access": said("Your access was terminated due to violation of our policies."),
  "the gateway's address": said("Country, region, or territory not supported", {
    code: "unsupported_country_region_territory",
  }),
  "the gateway's location": said("User location is not supported for the API use."),
  "an address": said("IP address 1.2.3.4 is not allowed by policy"),
  "a verification": said("Your organization must be verified to stream this model."),
  "an account in another language": said("账号审核未通过"),
  "a message to a team": said("Please ask your administrator for permission."),
};

/** Refusals of a node whose account cannot pay. */
const unpaid: Readonly<Record<string, unknown>> = {
  "a spent key": said("Key limit exceeded (total limit)."),
  "an account without credits": said("Your newly created team doesn't have any credits or licenses yet."),
};

/** Source: docs/contract.md#b1. */
describe("a 403", () => {
  test.each(Object.keys(content))("that speaks of content by %s is the caller's", (name) => {
    expect(classOf(403, content[name])).toMatchObject({
      fault: "client",
      failover: false,
      clientStatus: 403,
      code: "INVALID_REQUEST",
      reason: "content_policy",
      health: "none",
    });
  });

  test.each(Object.keys(unpaid))(
    "that speaks of the operator's bill by %s is failed over as such",
    (name) => {
      expect(classOf(403, unpaid[name])).toMatchObject({
        failover: true,
        clientStatus: 503,
        health: "billing",
      });
    },
  );

  test.each(Object.keys(node))("that speaks of the node by %s is failed over", (name) => {
    expect(classOf(403, node[name])).toMatchObject({
      failover: true,
      clientStatus: 502,
      health: "credential",
    });
  });
});

test("no other status becomes the caller's for its words: 401 is about the key, 5xx about the node", () => {
  for (const body of Object.values(content)) {
    expect(classOf(401, body)).toMatchObject({ failover: true, health: "credential" });
    expect(classOf(500, body)).toMatchObject({ failover: true, clientStatus: 502 });
  }
});

test("a 400 that names the content by a code is the caller's 400 and says why; one about the place is the node's", () => {
  expect(classOf(400, said("No.", { code: "content_filter" }))).toMatchObject({
    clientStatus: 400,
    reason: "content_policy",
  });
  const fields = { detail: [{ loc: ["body", "safety_identifier"], msg: "extra fields not permitted" }] };
  expect(classOf(400, fields).reason).toBeUndefined();
  expect(classOf(400, said("content: Input should be a valid string")).reason).toBeUndefined();
  expect(classOf(400, said("User location is not supported for the API use."))).toMatchObject({
    failover: true,
  });
});
