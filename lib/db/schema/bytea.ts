import { customType } from "drizzle-orm/pg-core";

/** A `bytea` column as a Buffer with both drivers. */
export const bytea = customType<{ data: Buffer; driverData: Buffer | Uint8Array }>({
  dataType: () => "bytea",
  fromDriver: (value) => Buffer.from(value),
});
