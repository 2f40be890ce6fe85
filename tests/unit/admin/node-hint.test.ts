import { describe, expect, test } from "vitest";
import { hintOfList, hintOfRefusal } from "@/lib/admin/node-hint";
import { readFailure } from "@/lib/protocols/failures/failure-body";
import { isAboutToken, vendorRefusal } from "@/lib/upstream/credentials/vendor-refusal";
import { azureNode } from "./azure-node";

const openai = "https://r.openai.azure.com/openai/v1";
const foundry = "https://r.services.ai.azure.com/openai/v1";
const audience = "Access token is missing, invalid, audience is incorrect (https://x), or have expired.";

function hint(status: number, error: object, node = azureNode(openai)) {
  return hintOfRefusal(node, status, readFailure(status, JSON.stringify({ error })));
}

/** Source: docs/clouds.md#hints. */
describe("a refusal of Azure", () => {
  test.each([
    [openai, "https://ai.azure.com/.default"],
    [foundry, "https://cognitiveservices.azure.com/.default"],
  ])("about the audience of a token for %s names the other one", (baseUrl, value) => {
    const node = azureNode(baseUrl);
    expect(hint(401, { code: "401", message: audience }, node)).toEqual({ code: "azure_scope", value });
  });

  test("about the audience of a key hints at nothing", () => {
    expect(hint(401, { code: "401", message: audience }, { ...azureNode(openai), access: null })).toBeNull();
  });

  test.each([
    [401, "PermissionDenied", "The principal lacks the required data action", "azure_role"],
    [
      403,
      "AuthenticationTypeDisabled",
      "Key based authentication is disabled for this resource.",
      "azure_keys_disabled",
    ],
    [403, "403", "Access denied due to Virtual Network/Firewall rules.", "azure_firewall"],
    [403, "403", "Public access is disabled. Please configure private endpoint.", "azure_firewall"],
    [404, "DeploymentNotFound", "The API deployment for this resource does not exist.", "azure_deployment"],
  ])("with %i %s hints at what is missing", (status, code, message, expected) => {
    expect(hint(status, { code, message })).toEqual({ code: expected, value: null });
  });

  test("for a missing role is no reason to get another token, any other 401 is", () => {
    const about = (code: string) => isAboutToken(401, vendorRefusal({}, JSON.stringify({ error: { code } })));
    expect([about("PermissionDenied"), about("401")]).toEqual([false, true]);
  });

  test("of other providers, and others of Azure, hint at nothing", () => {
    expect(hint(401, { code: "PermissionDenied" }, azureNode("https://api.openai.com/v1"))).toBeNull();
    expect(hint(400, { code: "BadRequest", message: "audience" })).toBeNull();
  });
});

/** Source: docs/clouds.md#hints. */
describe("a refusal of Bedrock", () => {
  const mantle = "https://bedrock-mantle.us-east-1.api.aws";
  const error = { type: "invalid_request_error", message: "The model 'x' isn't supported on this route." };

  test.each([
    [`${mantle}/v1`, `${mantle}/openai/v1`],
    [`${mantle}/openai/v1/`, `${mantle}/v1`],
  ])("of a model at %s names the other route", (baseUrl, value) => {
    expect(hint(404, error, azureNode(baseUrl))).toEqual({ code: "bedrock_route", value });
  });

  test("about anything else hints at nothing", () => {
    expect(hint(404, { message: "No such model." }, azureNode(`${mantle}/v1`))).toBeNull();
    expect(
      hint(404, error, azureNode("https://bedrock-runtime.us-east-1.amazonaws.com/openai/v1")),
    ).toBeNull();
  });
});

test("a list of models of Azure is said to be none of deployments", () => {
  expect(hintOfList(azureNode(openai))).toEqual({ code: "azure_models", value: null });
  expect(hintOfList(azureNode("https://api.openai.com/v1"))).toBeNull();
});
