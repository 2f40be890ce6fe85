/** The maximum password length in bytes, as the API has it. */
export const MAX_PASSWORD_BYTES = 1024;

/** True for a username that can be registered. Source: docs/spec.md#s4-4. */
export function isUsername(value: string): boolean {
  return /^[A-Za-z0-9]{3,32}$/.test(value);
}

/** Whether a text may be an e-mail address; the server looks closer. */
export function mayBeEmail(value: string): boolean {
  return /^[^\s@]+@[^\s@]+$/.test(value);
}

/** The size of a password as it is sent. */
export function passwordBytes(value: string): number {
  return new TextEncoder().encode(value).length;
}

/** 0 (weak) to 3 (strong): length first, then variety. A hint only. */
export function passwordStrength(value: string): number {
  const kinds = [/[a-z]/, /[A-Z]/, /\d/, /[^A-Za-z0-9]/].filter((kind) => kind.test(value)).length;
  if (value.length < 8) return 0;
  const points = (value.length >= 12 ? 1 : 0) + (value.length >= 16 ? 1 : 0) + (kinds >= 3 ? 1 : 0);
  return Math.min(3, points);
}
