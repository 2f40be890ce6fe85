import type { KeyObject } from "node:crypto";
import { decodeProtectedHeader, errors, jwtVerify } from "jose";
import { json, type Vendor } from "./vendor-server";

const SCOPE = "https://www.googleapis.com/auth/cloud-platform";

interface TokenOptions {
  /** The public keys of a service account by their ids. */
  keys: Record<string, KeyObject>;
  mail: string;
  token: string;
  now: () => Date;
}

function grantError(description: string) {
  return json(400, { error: "invalid_grant", error_description: description });
}

/** The token endpoint for service accounts: it checks the signature and the claims of the assertion. */
export function tokenVendor({ keys, mail, token, now }: TokenOptions): Vendor {
  return async ({ method, url, headers, body }) => {
    const form = new URLSearchParams(body);
    const isForm = headers["content-type"]?.startsWith("application/x-www-form-urlencoded");
    if (method !== "POST" || !isForm) return json(400, { error: "invalid_request" });
    if (form.get("grant_type") !== "urn:ietf:params:oauth:grant-type:jwt-bearer") {
      return json(400, { error: "unsupported_grant_type", error_description: "Invalid grant_type" });
    }
    const assertion = form.get("assertion") ?? "";
    const { kid, alg } = decodeProtectedHeader(assertion);
    const key = keys[kid ?? ""];
    if (key === undefined || alg !== "RS256") return grantError("Invalid JWT Signature.");
    try {
      const { payload } = await jwtVerify(assertion, key, {
        issuer: mail,
        audience: url.href,
        currentDate: now(),
      });
      const { iat = 0, exp = 0, scope } = payload;
      if (exp - iat > 3_600 || iat > now().getTime() / 1_000 + 60)
        return grantError("Invalid JWT: Token must be short-lived");
      if (scope !== SCOPE)
        return json(400, { error: "invalid_scope", error_description: "Invalid OAuth scope" });
    } catch (error) {
      if (error instanceof errors.JOSEError) return grantError(`Invalid JWT: ${error.message}`);
      throw error;
    }
    return json(200, { access_token: token, expires_in: 3_599, token_type: "Bearer" });
  };
}

/** The exchange of tokens of other identity providers. */
export function exchangeVendor(audience: string, subjectToken: string, token: string): Vendor {
  return ({ method, url, headers, body }) => {
    const form = new URLSearchParams(body);
    if (method !== "POST" || url.pathname !== "/v1/token" || headers.authorization !== undefined)
      return json(404, {});
    const isExchange = form.get("grant_type") === "urn:ietf:params:oauth:grant-type:token-exchange";
    const isAccess = form.get("requested_token_type") === "urn:ietf:params:oauth:token-type:access_token";
    if (!isExchange || !isAccess || form.get("scope") !== SCOPE)
      return json(400, { error: "invalid_request" });
    if (form.get("audience") !== audience) {
      return json(400, { error: "invalid_target", error_description: "The target service is not valid" });
    }
    if (
      form.get("subject_token_type") !== "urn:ietf:params:oauth:token-type:jwt" ||
      form.get("subject_token") !== subjectToken
    ) {
      return json(400, { error: "invalid_grant", error_description: `bad ${form.get("subject_token")}` });
    }
    const issued_token_type = "urn:ietf:params:oauth:token-type:access_token";
    return json(200, { access_token: token, issued_token_type, token_type: "Bearer", expires_in: 3_600 });
  };
}

/** The tokens of service accounts that others may impersonate. */
export function impersonationVendor(
  mail: string,
  federated: string,
  token: string,
  end: (seconds: number) => string,
): Vendor {
  return ({ method, url, headers, body }) => {
    const path = `/v1/projects/-/serviceAccounts/${mail}:generateAccessToken`;
    if (method !== "POST" || decodeURIComponent(url.pathname) !== path) {
      return json(404, {
        error: { code: 404, status: "NOT_FOUND", message: "Requested entity was not found." },
      });
    }
    if (headers.authorization !== `Bearer ${federated}`) {
      return json(403, {
        error: { code: 403, status: "PERMISSION_DENIED", message: "iam.serviceAccounts.getAccessToken" },
      });
    }
    const { scope, lifetime } = JSON.parse(body);
    if (scope[0] !== SCOPE)
      return json(400, { error: { code: 400, status: "INVALID_ARGUMENT", message: "scope" } });
    return json(200, {
      accessToken: token,
      expireTime: end(Number.parseInt(lifetime, 10)).replace(/\.\d+/, ""),
    });
  };
}

/** The metadata server of a machine. */
export function metadataVendor(mail: string, token: string): Vendor {
  return ({ method, url, headers }) => {
    const flavor = { "metadata-flavor": "Google", server: "Metadata Server for VM" };
    if (
      headers["metadata-flavor"] !== "Google" ||
      headers["x-forwarded-for"] !== undefined ||
      method !== "GET"
    ) {
      return { status: 403, headers: flavor, body: "Missing Metadata-Flavor:Google header." };
    }
    const [, account, what] =
      /^\/computeMetadata\/v1\/instance\/service-accounts\/([^/]+)\/(\w+)$/.exec(url.pathname) ?? [];
    if (account !== "default" && account !== mail) return { status: 404, headers: flavor, body: "not found" };
    if (what === "email") return { status: 200, headers: flavor, body: mail };
    return json(200, { access_token: token, expires_in: 1_800, token_type: "Bearer" }, flavor);
  };
}
