/** All tables in one module, as drizzle needs them. */
export * from "./accounts";
export * from "./budgets";
export * from "./catalog";
export * from "./statements";
export * from "./usage";
