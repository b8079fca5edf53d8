/** Refusals about imports, exports and everything in bulk. */
export const exchange = {} as const
