/** A digest of the content of a file, for its name. */
export const digest = (bytes: Uint8Array): string => Bun.hash(bytes).toString(36)
