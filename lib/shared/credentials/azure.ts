import { z } from "zod";
import { tokenFile } from "./aws";
import { azureClouds } from "./azure-clouds";

const guid = z
  .string()
  .regex(
    /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
    "must be an id such as 00000000-0000-0000-0000-000000000000",
  );

const audience = {
  cloud: z.enum(azureClouds).default("public"),
  scope: z
    .string()
    .max(512)
    .regex(/^[a-z]+:\/\/[^\s?#]+\/\.default$/, "must be an address that ends in /.default")
    .optional()
    .describe("What tokens are for; without one, the node's host and cloud tell it"),
};

/** A secret of an application. Source: docs/clouds.md#kinds. */
export const azureClient = z.strictObject({
  kind: z.literal("azure_client"),
  tenantId: guid,
  clientId: guid,
  clientSecret: z.string().regex(/^[\x21-\x7e]{1,512}$/, "must be printable ASCII without spaces"),
  ...audience,
});

/** An application that trusts the token in a file. */
export const azureWorkload = z.strictObject({
  kind: z.literal("azure_workload"),
  tenantId: guid,
  clientId: guid,
  tokenFile,
  ...audience,
});

/** The identity of the machine or service that the gateway runs on; with no id, its own. */
export const azureManaged = z
  .strictObject({
    kind: z.literal("azure_managed"),
    clientId: guid.optional(),
    objectId: guid.optional(),
    resourceId: z
      .string()
      .max(1_024)
      .regex(
        /^\/subscriptions\/[^/]+\/resourcegroups\/[^/]+\/providers\/microsoft\.managedidentity\/userassignedidentities\/[^/]+$/i,
        "must be the resource id of a user-assigned identity",
      )
      .optional(),
    ...audience,
  })
  .refine(
    ({ clientId, objectId, resourceId }) =>
      [clientId, objectId, resourceId].filter((id) => id !== undefined).length < 2,
    "must have one id at most",
  );
