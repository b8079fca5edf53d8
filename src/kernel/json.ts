export type JsonObject = Record<string, unknown>

/** Whether a JSON value is an object: neither null nor a list. */
export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
