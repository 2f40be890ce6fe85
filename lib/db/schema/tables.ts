/** The whole schema as drizzle wants it: one object of tables. */
export * from "./accounts";
export * from "./catalog";
export * from "./usage";
