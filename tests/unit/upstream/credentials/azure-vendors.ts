import { json, type Vendor } from "./vendor-server";

interface EntraOptions {
  tenantId: string;
  clientId: string;
  scope: string;
  secret: string;
  assertion: string;
}

/** A refusal of the sign-in service. */
function entraError(status: number, error: string, number: number, text: string) {
  return json(status, {
    error,
    error_description: `AADSTS${number}: ${text} Trace ID: 0000aaaa-11bb-cccc-dd22-eeeeee333333`,
    error_codes: [number],
    timestamp: "2026-11-29 12:00:00Z",
    trace_id: "0000aaaa-11bb-cccc-dd22-eeeeee333333",
    error_uri: `https://login.microsoftonline.com/error?code=${number}`,
  });
}

/** The sign-in service for applications. */
export function entraVendor({ tenantId, clientId, scope, secret, assertion }: EntraOptions): Vendor {
  return ({ method, url, body }) => {
    const form = new URLSearchParams(body);
    const tenant = /^\/([^/]+)\/oauth2\/v2\.0\/token$/.exec(url.pathname)?.[1];
    if (method !== "POST" || tenant === undefined) return { status: 404, body: "" };
    if (tenant !== tenantId)
      return entraError(400, "invalid_request", 90002, `Tenant '${tenant}' not found.`);
    if (form.get("grant_type") !== "client_credentials")
      return entraError(400, "unsupported_grant_type", 70003, "x");
    if (form.get("client_id") !== clientId) {
      return entraError(
        400,
        "unauthorized_client",
        700016,
        `Application '${form.get("client_id")}' was not found.`,
      );
    }
    if (form.get("scope") !== scope)
      return entraError(400, "invalid_scope", 70011, `scope ${form.get("scope")}`);
    const kind = form.get("client_assertion_type");
    if (kind === "urn:ietf:params:oauth:client-assertion-type:jwt-bearer") {
      const given = form.get("client_assertion");
      if (given !== assertion)
        return entraError(401, "invalid_client", 700213, `No matching record for ${given}.`);
    } else if (form.get("client_secret") !== secret) {
      return entraError(
        401,
        "invalid_client",
        7000215,
        `Invalid client secret provided ${form.get("client_secret")}.`,
      );
    }
    return json(200, {
      token_type: "Bearer",
      expires_in: 3_599,
      ext_expires_in: 3_599,
      access_token: "eyJ.entra",
    });
  };
}

/** The metadata service of a machine with identities. */
export function azureImdsVendor(resource: string, ids: Record<string, string>, nowS: () => number): Vendor {
  return ({ method, url, headers }) => {
    const query = url.searchParams;
    if (method !== "GET" || url.pathname !== "/metadata/identity/oauth2/token")
      return { status: 404, body: "" };
    if (headers.metadata?.toLowerCase() !== "true") {
      return json(400, {
        error: "invalid_request",
        error_description: "Required metadata header not specified",
      });
    }
    if (query.get("api-version") !== "2018-02-01") return json(400, { error: "bad_request_102" });
    if (query.get("resource") !== resource)
      return json(400, { error: "invalid_resource", error_description: "AADSTS50001" });
    const asked = ["client_id", "object_id", "msi_res_id"].find((name) => query.has(name));
    if (asked !== undefined && query.get(asked) !== ids[asked]) {
      return json(400, { error: "invalid_request", error_description: "Identity not found" });
    }
    return json(200, {
      access_token: `eyJ.machine.${asked ?? "own"}`,
      client_id: "x",
      expires_in: "86399",
      expires_on: String(nowS() + 86_399),
      resource,
      token_type: "Bearer",
    });
  };
}

/** The endpoint of a service that runs programs with an identity. */
export function appServiceVendor(secret: string, resource: string, nowS: () => number): Vendor {
  return ({ url, headers }) => {
    const query = url.searchParams;
    if (headers["x-identity-header"] !== secret) return { status: 401, body: "" };
    if (query.get("api-version") !== "2019-08-01" || query.get("resource") !== resource)
      return { status: 400, body: "" };
    const asked = ["client_id", "object_id", "mi_res_id"].find((name) => query.has(name));
    const expires_on = String(nowS() + 3_600);
    return json(200, {
      access_token: `eyJ.service.${asked ?? "own"}`,
      expires_on,
      resource,
      token_type: "Bearer",
    });
  };
}
