/** First line of a system message that has to travel inside a user turn; fixed, so that caches keep working. */
export const systemMarker = "[System message]";
