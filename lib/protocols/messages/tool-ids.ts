/** The prefix of tool call ids that the gateway makes. */
export const toolIdPrefix = "toolu_";
