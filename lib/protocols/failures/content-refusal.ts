import type { UpstreamFailure } from "@/lib/protocols/generation/events";

/** True for an error code or type about the caller's content. Source: docs/contract.md#b1. */
export function isContentCode(word: string | null): boolean {
  const letters = (word ?? "").toLowerCase().replace(/[^a-z0-9]/g, "");
  return !nodeCodes.test(letters) && contentCodes.some((part) => letters.includes(part));
}

/** True for a refusal with a code about the caller's content. Source: docs/contract.md#b1. */
export function hasContentCode({ type, code }: UpstreamFailure): boolean {
  return isContentCode(type) || isContentCode(code);
}

/**
 * True when a refusal is about the request (moderation, policy, safety, region of the end user). False when it is about
 * the node's own account, key or address. Weak words about content count only without words about the node.
 * Source: docs/contract.md#b1.
 */
export function isAboutContent(failure: UpstreamFailure): boolean {
  if (isAboutOwnAddress(failure)) return false;
  const text = `${failure.message}\n${failure.marks ?? ""}`;
  const matches = (phrases: readonly RegExp[]) => phrases.some((phrase) => phrase.test(text));
  if (matches(closedAccountPhrases)) return false;
  const lines = (failure.marks ?? "").split("\n");
  if (hasContentCode(failure) || lines.some(isMarkOfContent) || matches(contentPhrases)) return true;
  return !matches(nodePhrases) && matches(weakContentPhrases);
}

/** True when a node refuses to serve the region of the gateway itself. */
export function isAboutOwnAddress({ code, type, message }: UpstreamFailure): boolean {
  return (
    ownAddressCodes.has(code ?? "") ||
    ownAddressCodes.has(type ?? "") ||
    /user location is not supported for the api/i.test(message)
  );
}

/** True for a mark that is a code about content; sentences do not count. */
function isMarkOfContent(line: string): boolean {
  return /^[\w.:-]{1,64}$/.test(line) && isContentCode(line);
}

/**
 * Codes of refusals that are about the request. Shape: parts of an error code or type in lower case, letters
 * and digits only. Source: docs/contract.md#b1.
 */
const contentCodes: readonly string[] = [
  "contentpolicy",
  "contentfilter",
  "contentmanagement",
  "contentmoderation",
  "contentsafety",
  "contentviolation",
  "contentblocked",
  "contentrisk",
  "moderation",
  "moderated",
  "flagged",
  "policyviolat",
  "usagepolicy",
  "responsibleai",
  "safety",
  "unsafe",
  "datainspection",
  "sensitivecontent",
  "sensitiveword",
  "newsensitive",
  "prohibitedcontent",
  "harmfulcontent",
  "inappropriatecontent",
  "promptblocked",
  "blockedprompt",
  "inputblocked",
  "guardrail",
  "jailbreak",
  "promptinjection",
  "userregion",
  "userlocation",
  "usercountry",
];

/** Codes with these prefixes are about the node's own account, regardless of the rest. Shape: as above. */
const nodeCodes =
  /^(?:account|organi[sz]ation|org|project|workspace|tenant|key|apikey|iam|network|ip)(?=[a-z])/;

/** Codes that refuse the gateway's own address, not the region of an end user; other nodes may accept it. */
const ownAddressCodes: ReadonlySet<string> = new Set(["unsupported_country_region_territory"]);

const SENT =
  "(?:inputs?|prompts?|requests?|messages?|contents?|texts?|images?|conversations?|quer(?:y|ies)|outputs?|responses?|completions?|generations?)";
const ACCOUNT =
  "(?:accounts?|organi[sz]ations?|org|workspaces?|projects?|teams?|tenants?|compan(?:y|ies)|subscriptions?|access|api[ _-]?keys?)";
const REGION = "(?:regions?|countr(?:y|ies)|locations?|territor(?:y|ies)|jurisdictions?)";

/** Sentences about a closed account or refused address; they take precedence over all others. */
const closedAccountPhrases: readonly RegExp[] = [
  new RegExp(
    `\\b${ACCOUNT}\\b[^.]{0,40}\\b(?:suspended|disabled|deactivated|terminated|banned|locked|revoked|closed)\\b`,
    "i",
  ),
  /user location is not supported for the api/i,
  /country, region,? or territory/i,
];

/** Sentences that are always about the request or the region of its end user. Source: docs/contract.md#b1. */
const contentPhrases: readonly RegExp[] = [
  new RegExp(`\\b${SENT}\\b[^.]{0,80}\\b(?:flagged|moderat\\w+|filtered|unsafe|violat\\w+)`, "i"),
  /\bcontent[ _-](?:management |safety |usage )?(?:polic|filter|moderation|guideline|violation|restriction|exists risk)/i,
  /\brequires? moderation\b|\bmoderation (?:system|endpoint|filter|api|polic|service|layer|check)/i,
  /\bresponsible ai\b|\bguardrails?\b|\bjailbreak|\bprompt injection\b/i,
  /\bsafety (?:system|filter|guardrail|classifier|setting|guideline|polic|check|reason|violation|concern)/i,
  /\b(?:harmful|hateful|sexual|violent|explicit|sensitive|inappropriate|prohibited|illegal|disallowed|objectionable|offensive|abusive|adult|nsfw) (?:content|words?|material|text|input|information|language|topics?|imagery|prompts?)\b/i,
  new RegExp(`\\bend[ -]?users?\\b[^.]{0,60}\\b${REGION}\\b`, "i"),
  new RegExp(`\\b${REGION}\\b[^.]{0,40}\\b(?:of|for) (?:the|your|this|an?) (?:end[ -]?)?users?\\b`, "i"),
  new RegExp(`\\busers?['’]?s? ${REGION}\\b`, "i"),
  /敏感(?:词|信息|内容)|(?:内容|输入|输出)[^。]{0,20}(?:违规|违法|不安全|敏感|风险)|内容安全|内容审核/,
];

/** Sentences about the node's own account, key, rights or network. */
const nodePhrases: readonly RegExp[] = [
  new RegExp(
    `\\b${ACCOUNT}\\b[^.]{0,60}\\b(?:flagged|restricted|blocked|on hold|violat\\w*|not|doesn't|don't|must|needs?)\\b`,
    "i",
  ),
  new RegExp(
    `\\b(?:${ACCOUNT}|network|iam|resource|firewall|ip|data|retention|admin\\w*)(?:['’]s)? polic(?:y|ies)\\b`,
    "i",
  ),
  /\bapi[ _-]?keys?\b|\bcredentials?\b|\btokens? (?:is|has|was)\b|\bservice account\b|\bpermissions?\b/i,
  /\b(?:un|not )authori[sz]ed\b|\bnot entitled\b|\bsubscription\b|\baccess denied\b|\baccess (?:to|was|has been|is)\b/i,
  /(?:账号|账户|组织|密钥|权限)/,
  /\bip(?: address)?\b.{0,60}\b(?:not|blocked|denied)\b/i,
];

/** Sentences about content that count only if no sentence is about the node. Source: docs/contract.md#b1. */
const weakContentPhrases: readonly RegExp[] = [
  /\bflagged\b|\bmoderat(?:ion|ed)\b|\bsafety\b|\bunsafe\b|违规|审核/i,
  /\bpolic(?:y|ies)\b[^.]{0,60}\b(?:violat|block|reject|refus|den(?:y|ied)|prohibit|disallow|forbid|not allow)/i,
  /(?:violat|block|reject|refus|den(?:y|ied)|prohibit|disallow|forbid|not allow)[^.]{0,60}\b(?:polic(?:y|ies)|guidelines?|standards)\b/i,
  /\b(?:usage|acceptable[ -]use|community) (?:polic|guideline|standards)/i,
  /\bviolat\w*[^.]{0,60}\b(?:terms|rules)\b|\bagainst (?:our|the) (?:polic|guideline|rules|terms)/i,
];
