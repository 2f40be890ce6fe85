import { z } from "zod";

const region = z
  .string()
  .regex(/^[a-z]{2,4}(-[a-z]+)+-\d{1,2}$/, "must be the name of a region, such as us-east-1");

/** What a signature names; needed where the node's address does not tell it. */
const target = {
  region: region.optional(),
  service: z
    .string()
    .regex(/^[a-z][a-z0-9-]{0,63}$/, "must be the name of a service, such as bedrock")
    .optional(),
};

/** The path of a file on the gateway's machine; without one, an environment variable tells it. */
export const tokenFile = z
  .string()
  .max(4_096)
  .regex(/^\/[^\0]+$/, "must be the absolute path of a file")
  .optional();

const roleArn = z
  .string()
  .regex(
    /^arn:aws(-[a-z]+)*:iam::\d{12}:role\/[\w+=,.@/-]{1,512}$/,
    "must be the ARN of a role, such as arn:aws:iam::123456789012:role/name",
  );

const session = {
  roleArn,
  sessionName: z
    .string()
    .regex(/^[\w+=,.@-]{2,64}$/, "must be 2 to 64 letters, digits and _ + = , . @ -")
    .default("tollgate"),
  durationS: z
    .int("must be a whole number from 900 to 43200")
    .min(900, "must be a whole number from 900 to 43200")
    .max(43_200, "must be a whole number from 900 to 43200")
    .default(3_600),
};

/** The keys of a user, or of a session that somebody else has opened. Source: docs/clouds.md#kinds. */
export const awsStatic = z
  .strictObject({
    kind: z.literal("aws_static"),
    accessKeyId: z.string().regex(/^A[KS]IA[A-Z0-9]{12,124}$/, "must be an access key: AKIA… or ASIA…"),
    secretAccessKey: z.string().regex(/^[A-Za-z0-9/+=]{16,128}$/, "must be the secret of an access key"),
    sessionToken: z
      .string()
      .regex(/^[\x21-\x7e]{1,16384}$/, "must be printable ASCII without spaces")
      .optional(),
    ...target,
  })
  .refine((keys) => !keys.accessKeyId.startsWith("ASIA") || keys.sessionToken !== undefined, {
    path: ["sessionToken"],
    error: "is required: keys that begin with ASIA belong to a session",
  });

/** A role for whoever has the token in a file. */
export const awsWebIdentity = z.strictObject({
  kind: z.literal("aws_web_identity"),
  ...session,
  tokenFile,
  ...target,
});

/** The role of the container or pod that the gateway runs in. */
export const awsContainer = z.strictObject({ kind: z.literal("aws_container"), ...target });

/** The role of the machine that the gateway runs on. */
export const awsImds = z.strictObject({ kind: z.literal("aws_imds"), ...target });

/** A role that other keys may assume. */
export const awsRole = z.strictObject({
  kind: z.literal("aws_role"),
  source: z.discriminatedUnion("kind", [awsStatic, awsWebIdentity, awsContainer, awsImds]),
  ...session,
  externalId: z
    .string()
    .regex(/^[\w+=,.@:/-]{2,1224}$/, "must be 2 to 1224 letters, digits and _ + = , . @ : / -")
    .optional(),
  ...target,
});
