// What the gateway gave a client of the alias of the goldens, with their key, for the reasoning "because" and "b64==".

/** The signature of a thinking block that a chat node's reasoning became. */
export const signature = "gw1.jGEqbpUumMFfEOpVrNMS6rBK0xXBEj3DetjuqfOdImQ";

/** The data of a redacted block that a chat node's sealed reasoning became. */
export const opaque = "gw1.evEa0Wa5_y-viqcBFsj-r7gCsx8Q4_6ffaCUWs43bWY.b64==";
