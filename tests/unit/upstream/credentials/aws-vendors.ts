import { Sha256 } from "@aws-crypto/sha256-js";
import { HttpRequest } from "@smithy/protocol-http";
import { SignatureV4 } from "@smithy/signature-v4";
import { json, type Vendor, type VendorReply, type VendorRequest } from "./vendor-server";

const MOST_SKEW_MS = 5 * 60_000;

interface StsOptions {
  region: string;
  secrets: Record<string, string>;
  /** The service's own time. */
  now: () => Date;
  /** What a role needs. */
  mayAssume: (form: URLSearchParams) => boolean;
  answer: { accessKeyId: string; secretAccessKey: string; sessionToken: string; lifeS: number };
}

/** A refusal of the token service. */
export function stsError(status: number, code: string, message: string, now: Date): VendorReply {
  const body =
    `<ErrorResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/">\n  <Error>\n    <Type>Sender</Type>\n` +
    `    <Code>${code}</Code>\n    <Message>${message}</Message>\n  </Error>\n` +
    "  <RequestId>c6104cbe-af31-11e0-8154-cbc7ccf896c7</RequestId>\n</ErrorResponse>\n";
  return { status, headers: { "content-type": "text/xml", date: now.toUTCString() }, body };
}

/** The token service: it checks signatures with another implementation. */
export function stsVendor({ region, secrets, now, mayAssume, answer }: StsOptions): Vendor {
  return async (request) => {
    const form = new URLSearchParams(request.body);
    const refuse = (code: string, message: string, status = 403) => stsError(status, code, message, now());
    if (request.method !== "POST" || request.url.href !== `https://sts.${region}.amazonaws.com/`) {
      return refuse("InvalidAction", "no such action", 400);
    }
    if (form.get("Version") !== "2011-06-15") return refuse("InvalidAction", "no such version", 400);
    const action = form.get("Action") ?? "";
    if (action === "AssumeRole") {
      const problem = await signatureProblem(request, region, secrets, now());
      if (problem !== null) return refuse(...problem);
    } else if (request.headers.authorization !== undefined) {
      return refuse("InvalidAction", "must not be signed", 400);
    } else if (form.get("WebIdentityToken") !== "a.good.token") {
      return refuse(
        "InvalidIdentityToken",
        `No OpenIDConnect provider found for ${form.get("WebIdentityToken")}`,
        400,
      );
    }
    if (!mayAssume(form)) return refuse("AccessDenied", "not authorized to perform: sts:AssumeRole");
    const end = new Date(now().getTime() + answer.lifeS * 1_000).toISOString().replace(/\.\d+/, "");
    const token = answer.sessionToken.replaceAll("&", "&amp;");
    return {
      status: 200,
      headers: { "content-type": "text/xml", date: now().toUTCString() },
      body:
        `<${action}Response xmlns="https://sts.amazonaws.com/doc/2011-06-15/">\n<${action}Result>\n` +
        `<AssumedRoleUser>\n<Arn>arn:aws:sts::1:assumed-role/x/y</Arn>\n</AssumedRoleUser>\n<Credentials>\n` +
        `<AccessKeyId>${answer.accessKeyId}</AccessKeyId>\n<SecretAccessKey>${answer.secretAccessKey}</SecretAccessKey>\n` +
        `<SessionToken>\n ${token}\n </SessionToken>\n<Expiration>${end}</Expiration>\n</Credentials>\n` +
        `</${action}Result>\n</${action}Response>`,
    };
  };
}

/** What is wrong with a signature: code and message. */
async function signatureProblem(
  { url, headers, body }: VendorRequest,
  region: string,
  secrets: Record<string, string>,
  now: Date,
): Promise<[string, string] | null> {
  const authorization = headers.authorization ?? "";
  const accessKeyId = /Credential=([^/]+)/.exec(authorization)?.[1] ?? "";
  const secretAccessKey = secrets[accessKeyId];
  if (secretAccessKey === undefined) return ["InvalidClientTokenId", "The security token is invalid"];
  const at = new Date(
    (headers["x-amz-date"] ?? "").replace(/^(....)(..)(..T..)(..)(..Z)$/, "$1-$2-$3:$4:$5"),
  );
  const sessionToken = headers["x-amz-security-token"];
  const credentials = sessionToken === undefined ? {} : { sessionToken };
  const signer = new SignatureV4({
    service: "sts",
    region,
    credentials: { accessKeyId, secretAccessKey, ...credentials },
    sha256: Sha256,
  });
  const signed = await signer.sign(
    new HttpRequest({
      method: "POST",
      protocol: "https:",
      path: url.pathname,
      headers: { host: url.host, "content-type": headers["content-type"] ?? "" },
      body,
    }),
    { signingDate: at },
  );
  if (signed.headers.authorization !== authorization) return ["SignatureDoesNotMatch", "does not match"];
  const lateMs = now.getTime() - at.getTime();
  if (lateMs > MOST_SKEW_MS)
    return ["SignatureDoesNotMatch", "Signature expired: it is now earlier than it may be"];
  if (lateMs < -MOST_SKEW_MS)
    return ["SignatureDoesNotMatch", "Signature not yet current: it is still later"];
  return null;
}

/** The metadata service of a machine, version 2 only. `role` null: the machine has none. */
export function imdsVendor(role: string | null, document: () => object): Vendor {
  const tokens = new Set<string>();
  return ({ method, url, headers }) => {
    if (url.protocol !== "http:") return { status: 400, body: "" };
    if (url.pathname === "/latest/api/token") {
      const life = Number(headers["x-aws-ec2-metadata-token-ttl-seconds"]);
      if (method !== "PUT") return { status: 405, body: "" };
      if (!(life >= 1 && life <= 21_600)) return { status: 400, body: "" };
      const token = `imds-token-${tokens.size}==`;
      tokens.add(token);
      return { status: 200, headers: { "x-aws-ec2-metadata-token-ttl-seconds": String(life) }, body: token };
    }
    if (!tokens.has(headers["x-aws-ec2-metadata-token"] ?? "")) return { status: 401, body: "" };
    const roles = "/latest/meta-data/iam/security-credentials/";
    if (role !== null && url.pathname === roles) return { status: 200, body: role };
    if (role !== null && url.pathname === roles + role) return json(200, document());
    return { status: 404, body: "<html>404 - Not Found</html>" };
  };
}

/** The endpoint of a container's or pod's role. */
export function containerVendor(path: string, token: string | null, document: () => object): Vendor {
  return ({ method, url, headers }) => {
    if (method !== "GET" || url.pathname + url.search !== path)
      return json(404, { code: "ResourceNotFoundException" });
    if (token !== null && headers.authorization !== token) {
      return json(400, { code: "InvalidTokenException", message: `bad ${headers.authorization}` });
    }
    return json(200, document());
  };
}
