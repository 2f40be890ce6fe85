const arn = /^arn:aws[\w-]*:bedrock:[^/]*\/(.+)$/;
const geography = /^(?:us-gov|us|eu|apac|jp|au|ca|sa|me|uk|global)\.(?=[a-z0-9-]+\.)/;

/** The id of a model of Bedrock without the address and the geography of a profile. Source: docs/clouds.md#forms. */
export function withoutGeography(model: string): string {
  return (arn.exec(model)?.[1] ?? model).replace(geography, "");
}

/**
 * The name by which the family of an upstream model is found: in lower case, without the address and geography of
 * Bedrock's ids, and with a hyphen before the date of Vertex AI's. Source: docs/clouds.md#forms.
 */
export function familyName(upstreamModel: string): string {
  return withoutGeography(upstreamModel.toLowerCase()).replace("@", "-");
}
