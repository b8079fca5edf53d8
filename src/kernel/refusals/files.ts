/** Refusals about files that cannot be read, and storage. */
export const files = {} as const
