/**
 * Google's models accept this value in place of a signature that another model would have to make.
 * Source: docs/gemini.md#signatures, docs/protocols.md#s8-5.
 */
export const STAND_IN = "skip_thought_signature_validator";
