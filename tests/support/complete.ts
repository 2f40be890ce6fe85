/** Whether this is `npm run test:all`; `npm test` leaves repeats out, to end within ten minutes. */
export const isComplete = Boolean(process.env.TEST_ALL);
