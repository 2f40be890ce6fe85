import { lifeUntil, refusalOf, secretOf } from "./answers";
import type { AwsKeys } from "./aws-keys";
import { signAwsRequest } from "./aws-signature";
import { stsHost } from "./aws-target";
import { CredentialError } from "./credential-error";
import type { ExchangeContext, Obtained } from "./exchange";
import type { TokenAnswer } from "./send";
import { sendChecked } from "./send-checked";

const knownCodes: ReadonlySet<string> = new Set([
  "AccessDenied",
  "AccessDeniedException",
  "ExpiredToken",
  "ExpiredTokenException",
  "IDPCommunicationError",
  "IDPRejectedClaim",
  "IncompleteSignature",
  "InternalFailure",
  "InvalidAuthorizationMessageException",
  "InvalidClientTokenId",
  "InvalidIdentityToken",
  "InvalidParameterValue",
  "MalformedInput",
  "MalformedPolicyDocument",
  "MissingAuthenticationToken",
  "MissingParameter",
  "NotAuthorized",
  "OptInRequired",
  "PackedPolicyTooLarge",
  "RegionDisabledException",
  "RequestExpired",
  "ServiceUnavailable",
  "SignatureDoesNotMatch",
  "Throttling",
  "ThrottlingException",
  "UnrecognizedClientException",
  "ValidationError",
]);

const VERSION = "2011-06-15";
const contentType = "application/x-www-form-urlencoded";

/** A call of the security token service. Shape: `keys` sign it; null where a token in the form vouches. */
interface StsCall {
  region: string;
  action: "AssumeRole" | "AssumeRoleWithWebIdentity";
  form: Record<string, string>;
  keys: AwsKeys | null;
}

/**
 * The keys of a role. A call that is refused because of the own clock is signed once more with the service's time.
 * Rejects: CredentialError. Source: docs/clouds.md#kinds, #skew.
 */
export async function assumeRole(context: ExchangeContext, call: StsCall): Promise<Obtained> {
  let answer = await sendCall(context, call);
  if (answer.status !== 200 && call.keys !== null && learnsSkew(context, call, answer)) {
    answer = await sendCall(context, call);
  }
  if (answer.status !== 200) throw refusalOf(answer, element(answer.body, "Code"), knownCodes);
  const credentials = element(answer.body, "Credentials") ?? "";
  const keys = {
    accessKeyId: secretOf(element(credentials, "AccessKeyId")),
    secretAccessKey: secretOf(element(credentials, "SecretAccessKey")),
    sessionToken: secretOf(element(credentials, "SessionToken")),
  };
  const expiration = element(credentials, "Expiration");
  if (expiration === null) throw new CredentialError("bad_answer");
  const lifeMs = lifeUntil(expiration, answer, context);
  return { access: { type: "aws", keys }, principal: call.form.RoleArn ?? null, lifeMs };
}

function sendCall(context: ExchangeContext, { region, action, form, keys }: StsCall): Promise<TokenAnswer> {
  const host = stsHost(region);
  const url = new URL(`https://${host}/`);
  const body = new URLSearchParams({ Action: action, Version: VERSION, ...form }).toString();
  const headers: Record<string, string> = { "content-type": contentType, accept: "application/xml" };
  if (keys !== null) {
    const at = new Date(context.clock.date().getTime() + context.skews.of(host));
    const target = { region, service: "sts" };
    Object.assign(headers, signAwsRequest({ method: "POST", url, contentType, body }, keys, target, at));
  }
  return sendChecked(context, { method: "POST", url: url.href, headers, body });
}

function learnsSkew(context: ExchangeContext, call: StsCall, answer: TokenAnswer): boolean {
  const refusal = {
    errorType: element(answer.body, "Code"),
    message: element(answer.body, "Message"),
    date: answer.headers.date ?? null,
  };
  return context.skews.learn(stsHost(call.region), refusal, context.clock.date()) !== null;
}

/** The content of the first element with a name, which has no attributes; null when there is none. */
function element(xml: string, name: string): string | null {
  const start = xml.indexOf(`<${name}>`);
  const end = xml.indexOf(`</${name}>`, start);
  if (start === -1 || end === -1) return null;
  return unescaped(xml.slice(start + name.length + 2, end).trim());
}

const entities: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

function unescaped(text: string): string {
  return text.replace(
    /&(?:(amp|lt|gt|quot|apos)|#(\d{1,5})|#x([0-9a-f]{1,4}));/gi,
    (_, name, decimal, hex) =>
      name
        ? (entities[name] ?? "")
        : String.fromCharCode(decimal ? Number(decimal) : Number.parseInt(hex, 16)),
  );
}
