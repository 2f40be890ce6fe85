/** What nodes answer when they refuse: statuses, and bodies of every form. */
export const statuses = [
  200, 300, 400, 401, 402, 403, 404, 408, 409, 413, 415, 418, 422, 425, 429, 451, 500, 502, 503, 529,
];

const said = (message: string, rest: object = {}) => ({ error: { message, ...rest } });

const bodies: readonly unknown[] = [
  said("bad", { type: "invalid_request_error", param: "messages", code: "context_length_exceeded" }),
  { type: "error", error: { type: "overloaded_error", message: "Overloaded" }, request_id: "req_1a2b3c4d5e" },
  { type: "error", error: { type: "request_too_large", message: "Too large" } },
  { error: "broken" },
  { error: "broken", type: "billing_error", code: 402 },
  { object: "error", message: "bad field", code: 422 },
  { detail: "Not Found" },
  { detail: [{ loc: ["body"], msg: "missing" }] },
  { detail: { message: "inner" } },
  [{ error: { code: 429, message: "slow down" } }],
  { errors: [{ message: "first" }, { message: "second" }] },
  { error: ["first"] },
  { error: true, message: "down" },
  { error: null },
  { error: { status: 503, message: 7 } },
  { error: { code: "503" } },
  { message: "alone" },
  { msg: "alone", extra: { code: "moderation_blocked" } },
  {},
  said("Your credit balance is too low to access the API"),
  said("No.", { code: "insufficient_quota" }),
  said("No.", { code: "unsupported_parameter", param: "top_k" }),
  said("prompt is too long: 300000 tokens > 200000 maximum"),
  said("Flagged.", { metadata: { reasons: ["hate"] } }),
  said("No.", { type: "content_filter" }),
  said("No.", { code: "content_filter" }),
  said("No.", { status: "PROHIBITED_CONTENT" }),
  said("No.", {
    innererror: { code: "ResponsibleAIPolicyViolation", deep: { a: { b: { c: { d: { e: "far" } } } } } },
  }),
  { error: "Forbidden", reason: "moderation_blocked" },
  said("Blocked by content management policy."),
  said("Not available in the end user's region."),
  said("Your organization policy does not allow this request."),
  said("No.", { code: "organization_policy_violation" }),
  said("Your account was suspended: content violating our usage policies was found."),
  said("Country, region, or territory not supported", { code: "unsupported_country_region_territory" }),
  said("User location is not supported for the API use."),
  said("输入内容包含敏感信息"),
  said("no words", { note: "z".repeat(5_000), other: "never read" }),
  said("The upstream's answer has no choices"),
];

/** The bodies as text, with those that are no JSON. */
export const refusalBodies: readonly string[] = [
  ...bodies.map((body) => JSON.stringify(body)),
  "",
  "null",
  "secret words",
  "Request blocked: content policy violation",
  "<html>a page: flagged</html>",
  "  <p>",
  "{cut",
  "w".repeat(9_000),
];

const key = "sk-live-0123456789abcdefghij";
const host = "api.vendor.example";

/** What must not be seen of a node. */
export const secrets = {
  credentials: [key, "pw1", "tiny!", "back\\slash-credential", "pass word secret"],
  headerValues: ["header-value-1", "x"],
  hosts: [host, "10.1.2.3", "::1", "", "vendor"],
};

const encodings: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => text.toUpperCase(),
  (text) => encodeURIComponent(text).replaceAll("-", "%2D").replaceAll(".", "%252e"),
  (text) => JSON.stringify(JSON.stringify(`"${text}"`)),
  (text) => [...text].map((letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`).join(""),
  (text) => [...text].map((letter) => `&#${letter.charCodeAt(0)};`).join(""),
  (text) => [...text].map((letter) => `&amp;#x${letter.charCodeAt(0).toString(16)};`).join("\u200b"),
  (text) => Buffer.from(text).toString("base64"),
  (text) => Buffer.from(`user:${text}`).toString("base64url"),
  (text) => Buffer.from(`ab${text}cd`).toString("base64"),
  (text) => text.slice(0, Math.ceil(text.length / 2)),
  (text) => `${text.slice(0, 12)}****`,
  (text) => text.split("").join("\0"),
  (text) => text.replaceAll("-", " "),
];

/** Texts of nodes with secrets in them in many writings, and texts that have none. */
export const shownTexts: readonly string[] = [
  ...[key, host, "header-value-1", "back\\slash-credential", "10.1.2.3"].flatMap((secret) =>
    encodings.map((encode) => `Before ${encode(secret)} and after`),
  ),
  "pass word secret and pass+word+secret",
  "pw1 stands alone, xpw1x does not; tiny! is here",
  `https://${host}:8443/v1?a=b and wss://${host}/x, [::1]:80, sub.${host}.com, ${host}-more`,
  "vendor/big-model, vendor/big-model-2, my-vendor/big-model and Vendor",
  "Incorrect API key provided: sk-proj-abc123DEF456 of org-AbCdEf123456 at https://other.example/v1?x=1 (10.0.0.7:8080, api.other.com, localhost:3000)",
  "Bearer abc.def123, 123e4567-e89b-12d3-a456-426614174000, AIzaSyA0123456789abcdefghijk, key-a1b2c3d4",
  "messages: key_value pairs of project_management must be in request_format; use temperature 0.7, see claude-3.5",
  "&lt;tag&gt; &quot;x&quot; &apos; &amp;amp; %00 %zz \\n \\\\ \\x41",
  "北".repeat(1_000),
  `${"x".repeat(16_380)} ${key} ${"y".repeat(50)}`,
  "y".repeat(20_000),
  "",
];
