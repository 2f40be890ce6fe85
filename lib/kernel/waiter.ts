/**
 * Waits for a result: exactly one of the two is called, once, and neither throws. In place of a promise where one place
 * passes on what another one awaits.
 */
export interface Waiter<Result> {
  resolve(result: Result): void;
  reject(error: unknown): void;
}
